package io.metaq.coordinator.api;

import java.util.List;

/** Told to a loop: tell these of its connections (request 40) that the membership of {@code group} changed. */
public record MembersChanged(String group, List<Long> connectionIds) {
  public MembersChanged {
    connectionIds = List.copyOf(connectionIds);
  }
}
