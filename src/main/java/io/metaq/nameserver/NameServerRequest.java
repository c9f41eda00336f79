package io.metaq.nameserver;

import io.metaq.codec.remoting.RemotingCommand;

/**
 * A request together with what its connection says about who sent it.
 *
 * @param remote {@code ip:port}, for logs
 * @param fromLoopback whether the peer sits on this machine
 * @param mayAdminister whether the peer is one of those that may change things for others
 */
record NameServerRequest(RemotingCommand command, long connectionId, String remote, boolean fromLoopback, boolean mayAdminister) {}
