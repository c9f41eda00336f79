package io.metaq.nameserver;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** Requests about the key-value table: 100, 101, 102, 219. */
final class KvHandlers {
  private final KvConfig config;

  KvHandlers(KvConfig config) {
    this.config = config;
  }

  void join(RequestHandlers handlers) {
    handlers
        .onAdminAsync(RequestCode.PUT_KV_CONFIG, this::put)
        .on(RequestCode.GET_KV_CONFIG, this::get)
        .onAdminAsync(RequestCode.DELETE_KV_CONFIG, this::delete)
        .on(RequestCode.GET_KVLIST_BY_NAMESPACE, this::list);
  }

  private Future<RemotingCommand> put(NameServerRequest request) {
    RemotingCommand command = request.command();
    return config.put(namespace(command), key(command), command.requireText("value")).map(done -> command.success());
  }

  private RemotingCommand get(NameServerRequest request) {
    RemotingCommand command = request.command();
    Optional<String> value = config.get(namespace(command), key(command));
    return value.isPresent()
        ? command.success().ext("value", value.get())
        : command.response(ResultCode.QUERY_NOT_FOUND,
            "the namespace " + namespace(command) + " has no key " + key(command));
  }

  private Future<RemotingCommand> delete(NameServerRequest request) {
    RemotingCommand command = request.command();
    return config.delete(namespace(command), key(command)).map(done -> command.success());
  }

  private RemotingCommand list(NameServerRequest request) {
    RemotingCommand command = request.command();
    Optional<Map<String, String>> table = config.namespace(namespace(command));
    return table.isPresent()
        ? command.success().body(KvTableCodec.encode(table.get()))
        : command.response(ResultCode.QUERY_NOT_FOUND, "there is no namespace " + namespace(command));
  }

  private static String namespace(RemotingCommand command) {
    return command.requireText("namespace");
  }

  private static String key(RemotingCommand command) {
    return command.requireText("key");
  }
}
