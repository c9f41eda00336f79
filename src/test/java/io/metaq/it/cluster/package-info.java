/** Several processes of MetaQ under official clients: what is lost and what goes on when one of them dies. */
package io.metaq.it.cluster;
