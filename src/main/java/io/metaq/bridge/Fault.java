package io.metaq.bridge;

import io.metaq.model.ResultCode;
import java.util.Locale;

/** Every kind of failure a bridge answers with: its HTTP status, the broker's response code that means the same, and a title. */
enum Fault {
  INVALID(400, ResultCode.INVALID_PARAMETER, "The request has a wrong or missing value"),
  MALFORMED_JSON(400, ResultCode.INVALID_PARAMETER, "The text is no JSON object"),
  INVALID_MESSAGE(400, ResultCode.MESSAGE_ILLEGAL, "The message breaks a limit or a rule"),
  INVALID_FILTER(400, ResultCode.SUBSCRIPTION_PARSE_FAILED, "The filter cannot be used"),
  INVALID_POSITION(400, ResultCode.INVALID_PARAMETER, "The position is none of this topic"),
  UNKNOWN_OP(400, ResultCode.REQUEST_CODE_NOT_SUPPORTED, "There is no such operation"),
  NOT_PERMITTED(403, ResultCode.NO_PERMISSION, "This address may not administer"),
  ORIGIN_REFUSED(403, ResultCode.NO_PERMISSION, "Pages of this origin may not do this"),
  REFUSED_BY_BROKER(403, ResultCode.NO_PERMISSION, "The broker does not permit it"),
  NO_SUCH_PATH(404, ResultCode.REQUEST_CODE_NOT_SUPPORTED, "There is nothing at this path"),
  UNKNOWN_TOPIC(404, ResultCode.TOPIC_NOT_EXIST, "No broker serves this topic"),
  UNKNOWN_QUEUE(404, ResultCode.INVALID_PARAMETER, "The topic has no such queue"),
  UNKNOWN_BROKER(404, ResultCode.INVALID_PARAMETER, "No such broker is registered"),
  UNKNOWN_GROUP(404, ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "There is no such consumer group"),
  UNKNOWN_MESSAGE(404, ResultCode.QUERY_NOT_FOUND, "There is no such message"),
  UNKNOWN_SUBSCRIPTION(404, ResultCode.SUBSCRIPTION_NOT_EXIST, "This connection has no such subscription"),
  UNKNOWN_HANDLE(404, ResultCode.QUERY_NOT_FOUND, "No message is open under this handle"),
  WRONG_METHOD(405, ResultCode.REQUEST_CODE_NOT_SUPPORTED, "The path does not take this method"),
  TOO_SLOW(408, ResultCode.INVALID_PARAMETER, "The request did not come in time"),
  CONFLICT(409, ResultCode.ILLEGAL_OPERATION, "The request contradicts what is going on"),
  LEASE_LOST(409, ResultCode.ILLEGAL_OPERATION, "The message is somebody else's by now"),
  TOO_LARGE(413, ResultCode.MESSAGE_ILLEGAL, "The request is too large"),
  LINE_TOO_LONG(414, ResultCode.INVALID_PARAMETER, "The first line of the request is too long"),
  WRONG_TYPE(415, ResultCode.INVALID_PARAMETER, "The content type is not understood here"),
  HOST_REFUSED(421, ResultCode.NO_PERMISSION, "This server does not answer to that name"),
  TOO_MANY(429, ResultCode.FLOW_CONTROL, "A limit of this connection is reached"),
  HEADERS_TOO_LARGE(431, ResultCode.INVALID_PARAMETER, "The headers of the request are too large"),
  INTERNAL(500, ResultCode.SYSTEM_ERROR, "The request failed"),
  BROKER_FAILED(502, ResultCode.SYSTEM_ERROR, "The broker answered with an error"),
  UNAVAILABLE(503, ResultCode.SERVICE_NOT_AVAILABLE, "Nobody can serve this now"),
  TIMED_OUT(504, ResultCode.SYSTEM_ERROR, "No answer came in time");

  private final int status;
  private final ResultCode code;
  private final String title;

  Fault(int status, ResultCode code, String title) {
    this.status = status;
    this.code = code;
    this.title = title;
  }

  int status() {
    return status;
  }

  ResultCode code() {
    return code;
  }

  String title() {
    return title;
  }

  /** Names it in problem documents. */
  String type() {
    return "urn:metaq:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A failure of this kind. */
  BridgeException because(String detail) {
    return new BridgeException(this, code.wire(), detail);
  }
}
