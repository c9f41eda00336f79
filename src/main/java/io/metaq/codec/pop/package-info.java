/** What pop consumption writes into the revive log, and how a popped message is named on the wire. */
package io.metaq.codec.pop;
