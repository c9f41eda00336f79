package io.metaq.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The request codes this project handles or sends, with their numbers in the RocketMQ remoting protocol. */
public enum RequestCode {
  SEND_MESSAGE(10),
  PULL_MESSAGE(11),
  QUERY_MESSAGE(12),
  QUERY_CONSUMER_OFFSET(14),
  UPDATE_CONSUMER_OFFSET(15),
  UPDATE_AND_CREATE_TOPIC(17),
  GET_BROKER_RUNTIME_INFO(28),
  SEARCH_OFFSET_BY_TIMESTAMP(29),
  GET_MAX_OFFSET(30),
  GET_MIN_OFFSET(31),
  GET_EARLIEST_MSG_STORETIME(32),
  VIEW_MESSAGE_BY_ID(33),
  HEART_BEAT(34),
  UNREGISTER_CLIENT(35),
  CONSUMER_SEND_MSG_BACK(36),
  END_TRANSACTION(37),
  GET_CONSUMER_LIST_BY_GROUP(38),
  CHECK_TRANSACTION_STATE(39),
  NOTIFY_CONSUMER_IDS_CHANGED(40),
  LOCK_BATCH_MQ(41),
  UNLOCK_BATCH_MQ(42),
  CHECK_CLIENT_CONFIG(46),
  PUT_KV_CONFIG(100),
  GET_KV_CONFIG(101),
  DELETE_KV_CONFIG(102),
  REGISTER_BROKER(103),
  UNREGISTER_BROKER(104),
  GET_ROUTEINFO_BY_TOPIC(105),
  GET_BROKER_CLUSTER_INFO(106),
  WIPE_WRITE_PERM_OF_BROKER(205),
  GET_ALL_TOPIC_LIST_FROM_NAMESERVER(206),
  DELETE_TOPIC_IN_NAMESRV(216),
  REGISTER_TOPIC_IN_NAMESRV(217),
  GET_KVLIST_BY_NAMESPACE(219),
  GET_TOPICS_BY_CLUSTER(224),
  GET_SYSTEM_TOPIC_LIST_FROM_NS(304),
  SEND_MESSAGE_V2(310),
  GET_UNIT_TOPIC_LIST(311),
  GET_HAS_UNIT_SUB_TOPIC_LIST(312),
  GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST(313),
  UPDATE_NAMESRV_CONFIG(318),
  GET_NAMESRV_CONFIG(319),
  SEND_BATCH_MESSAGE(320),
  QUERY_DATA_VERSION(322),
  SEND_REPLY_MESSAGE(324),
  SEND_REPLY_MESSAGE_V2(325),
  ADD_WRITE_PERM_OF_BROKER(327),
  LITE_PULL_MESSAGE(361),
  GET_BROKER_MEMBER_GROUP(901),
  BROKER_HEARTBEAT(904);

  private static final Map<Integer, RequestCode> BY_WIRE = new HashMap<>();

  static {
    for (RequestCode code : values()) {
      BY_WIRE.put(code.wire, code);
    }
  }

  private final int wire;

  RequestCode(int wire) {
    this.wire = wire;
  }

  /** The number on the wire. */
  public int wire() {
    return wire;
  }

  /** The code of a wire number, empty when unknown. */
  public static Optional<RequestCode> of(int wire) {
    return Optional.ofNullable(BY_WIRE.get(wire));
  }
}
