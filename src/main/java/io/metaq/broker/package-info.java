/**
 * The broker's loops: each instance of BrokerVerticle serves its own connections, sends batches to the commit log, parks pulls; one
 * handler class for each kind of request.
 */
package io.metaq.broker;
