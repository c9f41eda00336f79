/** The commands a user types; each is a short class that hands over to the launcher or the client. */
package io.metaq.cli;
