package io.metaq.broker;

import io.metaq.model.ResultCode;

/** Why a request is refused. */
record Fault(ResultCode code, String remark) {}
