package io.metaq.nameserver;

import io.metaq.codec.remoting.RemotingCommand;
import io.vertx.core.Future;

/**
 * Answers the requests of one code. May throw {@link io.metaq.codec.remoting.HeaderException} or {@link
 * io.metaq.codec.registry.BodyException} for requests it cannot read.
 */
@FunctionalInterface
interface RequestHandler {
  Future<RemotingCommand> handle(NameServerRequest request);
}
