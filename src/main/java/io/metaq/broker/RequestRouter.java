package io.metaq.broker;

import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the handler of a request code. What goes wrong in a handler is answered here, so that no peer waits for nothing. */
final class RequestRouter {
  private static final Logger log = LoggerFactory.getLogger(RequestRouter.class);

  private static final List<RequestCode> SENDS = List.of(
      RequestCode.SEND_MESSAGE, RequestCode.SEND_MESSAGE_V2, RequestCode.SEND_BATCH_MESSAGE, RequestCode.SEND_REPLY_MESSAGE,
      RequestCode.SEND_REPLY_MESSAGE_V2);

  private static final List<RequestCode> POPS = List.of(
      RequestCode.POP_MESSAGE, RequestCode.ACK_MESSAGE, RequestCode.PEEK_MESSAGE, RequestCode.CHANGE_MESSAGE_INVISIBLE_TIME,
      RequestCode.NOTIFICATION, RequestCode.POLLING_INFO, RequestCode.BATCH_ACK_MESSAGE);

  /** The codes of pops begin here. */
  private static final int FAR = 200_000;

  private final RequestHandler[] byWire = new RequestHandler[1024];
  private final RequestHandler[] farByWire = new RequestHandler[256];

  private RequestRouter(Map<RequestCode, RequestHandler> handlers) {
    handlers.forEach(this::put);
  }

  private void put(RequestCode code, RequestHandler handler) {
    if (code.wire() < FAR) {
      byWire[code.wire()] = handler;
    } else {
      farByWire[code.wire() - FAR] = handler;
    }
  }

  private RequestHandler find(int code) {
    if (code >= 0 && code < byWire.length) {
      return byWire[code];
    }
    return code >= FAR && code < FAR + farByWire.length ? farByWire[code - FAR] : null;
  }

  static RequestRouter of(
      RequestHandler sends, RequestHandler pulls, RequestHandler consumerOffsets, RequestHandler queueOffsets, RequestHandler clients,
      RequestHandler locks, RequestHandler lookUps, RequestHandler sendBack, RequestHandler tables,
      RequestHandler runtimeInfo, RequestHandler transactions, RequestHandler replies) {
    Map<RequestCode, RequestHandler> handlers = new EnumMap<>(RequestCode.class);
    handlers.put(RequestCode.SEND_MESSAGE, sends);
    handlers.put(RequestCode.SEND_MESSAGE_V2, sends);
    handlers.put(RequestCode.SEND_BATCH_MESSAGE, sends);
    handlers.put(RequestCode.PULL_MESSAGE, pulls);
    handlers.put(RequestCode.LITE_PULL_MESSAGE, pulls);
    handlers.put(RequestCode.QUERY_CONSUMER_OFFSET, consumerOffsets);
    handlers.put(RequestCode.UPDATE_CONSUMER_OFFSET, consumerOffsets);
    handlers.put(RequestCode.SEARCH_OFFSET_BY_TIMESTAMP, queueOffsets);
    handlers.put(RequestCode.GET_MAX_OFFSET, queueOffsets);
    handlers.put(RequestCode.GET_MIN_OFFSET, queueOffsets);
    handlers.put(RequestCode.GET_EARLIEST_MSG_STORETIME, queueOffsets);
    handlers.put(RequestCode.HEART_BEAT, clients);
    handlers.put(RequestCode.UNREGISTER_CLIENT, clients);
    handlers.put(RequestCode.GET_CONSUMER_LIST_BY_GROUP, clients);
    handlers.put(RequestCode.CHECK_CLIENT_CONFIG, clients);
    handlers.put(RequestCode.LOCK_BATCH_MQ, locks);
    handlers.put(RequestCode.UNLOCK_BATCH_MQ, locks);
    handlers.put(RequestCode.VIEW_MESSAGE_BY_ID, lookUps);
    handlers.put(RequestCode.GET_BROKER_RUNTIME_INFO, runtimeInfo);
    handlers.put(RequestCode.QUERY_MESSAGE, lookUps);
    handlers.put(RequestCode.CONSUMER_SEND_MSG_BACK, sendBack);
    handlers.put(RequestCode.GET_ALL_TOPIC_CONFIG, tables);
    handlers.put(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, tables);
    handlers.put(RequestCode.GET_ALL_CONSUMER_OFFSET, tables);
    handlers.put(RequestCode.GET_ALL_DELAY_OFFSET, tables);
    handlers.put(RequestCode.GET_TIMER_CHECK_POINT, tables);
    handlers.put(RequestCode.GET_TIMER_METRICS, tables);
    handlers.put(RequestCode.GET_ALL_MESSAGE_REQUEST_MODE, tables);
    handlers.put(RequestCode.END_TRANSACTION, transactions);
    handlers.put(RequestCode.SEND_REPLY_MESSAGE, replies);
    handlers.put(RequestCode.SEND_REPLY_MESSAGE_V2, replies);
    return new RequestRouter(handlers);
  }

  /** The same with more requests. */
  RequestRouter with(Map<RequestCode, RequestHandler> more) {
    more.forEach(this::put);
    return this;
  }

  /** The same with all that writes refused. Producers take the first code for a reason to try another broker. */
  RequestRouter onSlave(BrokerOptions options, MasterSight master) {
    RequestHandler sends = new SlaveRefusal(ResultCode.SERVICE_NOT_AVAILABLE, "takes no messages", options, master);
    for (RequestCode code : SENDS) {
      put(code, sends);
    }
    put(RequestCode.CONSUMER_SEND_MSG_BACK, new SlaveRefusal(ResultCode.SYSTEM_ERROR, "takes no messages back", options, master));
    put(RequestCode.END_TRANSACTION, new SlaveRefusal(ResultCode.SLAVE_NOT_AVAILABLE, "ends no transactions", options, master));
    RequestHandler pops = new SlaveRefusal(ResultCode.SYSTEM_ERROR, "gives no messages to pops", options, master);
    POPS.forEach(code -> put(code, pops));
    put(RequestCode.RECALL_MESSAGE,
        new SlaveRefusal(ResultCode.SLAVE_NOT_AVAILABLE, "takes no messages back that wait for their time", options, master));
    return this;
  }

  void route(Connection connection, InboundFrame frame) {
    int code = frame.code();
    RequestHandler handler = find(code);
    if (handler == null) {
      refuse(connection, frame, ResultCode.REQUEST_CODE_NOT_SUPPORTED, "request type " + code + " not supported");
      return;
    }
    try {
      handler.handle(connection, frame);
    } catch (HeaderException unreadable) {
      refuse(connection, frame, ResultCode.SYSTEM_ERROR, unreadable.getMessage());
    } catch (RuntimeException | Error failure) {
      log.error("a request handler failed code={} remote={}", code, connection.remote(), failure);
      refuse(connection, frame, ResultCode.SYSTEM_ERROR, "the broker failed at this request: " + failure);
    }
  }

  private static void refuse(Connection connection, InboundFrame frame, ResultCode result, String reason) {
    if (!frame.oneway()) {
      RemotingCommand request = RemotingCommand.decoded(frame.code(), RemotingCommand.LANGUAGE, 0, frame.opaque(), 0, frame.type());
      connection.write(request.response(result, reason));
    }
  }
}
