/** SQL92 filters on message properties: text to a compiled filter, filter and property values to a verdict. Knows no records. */
package io.metaq.filter;
