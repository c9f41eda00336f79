package io.metaq.client;

import java.util.Optional;

/**
 * Who a client says it is to clusters with access control. The secret never leaves the client: requests carry a signature made with
 * it.
 *
 * @param accessKey the user's name
 * @param securityToken what an issuer of short-lived credentials gave along
 */
public record Credentials(String accessKey, String secretKey, Optional<String> securityToken) {
  public Credentials(String accessKey, String secretKey) {
    this(accessKey, secretKey, Optional.empty());
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "Credentials of " + accessKey;
  }
}
