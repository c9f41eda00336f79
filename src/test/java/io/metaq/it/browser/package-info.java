/** Pages and {@code metaq.js} as people meet them: in a Chromium, against the packaged jar. */
package io.metaq.it.browser;
