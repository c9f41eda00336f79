package io.metaq.client;

import io.metaq.codec.remoting.RemotingCommand;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests as official clients do: HMAC-SHA1 over the values of all fields in the order of their names, then the body; in
 * Base64. Source: the RocketMQ access control protocol.
 */
final class RequestSigner {
  private static final String ALGORITHM = "HmacSHA1";
  private static final String ACCESS_KEY = "AccessKey";
  private static final String SECURITY_TOKEN = "SecurityToken";
  private static final String SIGNATURE = "Signature";

  private final Credentials credentials;
  private final Mac mac;

  RequestSigner(Credentials credentials) {
    this.credentials = credentials;
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(credentials.secretKey().getBytes(StandardCharsets.UTF_8), ALGORITHM));
    } catch (GeneralSecurityException | IllegalArgumentException unusable) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "the secret key cannot be used: " + unusable.getMessage(), unusable);
    }
  }

  /** Adds name and signature; the request must be complete, but for its opaque. */
  void sign(RemotingCommand request) {
    request.ext(ACCESS_KEY, credentials.accessKey());
    credentials.securityToken().ifPresent(token -> request.ext(SECURITY_TOKEN, token));
    for (String value : new TreeMap<>(request.ext()).values()) {
      mac.update(value.getBytes(StandardCharsets.UTF_8));
    }
    request.ext(SIGNATURE, Base64.getEncoder().encodeToString(mac.doFinal(request.body())));
  }
}
