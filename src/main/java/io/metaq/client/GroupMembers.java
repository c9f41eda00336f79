package io.metaq.client;

import java.util.List;

/**
 * The connected members of a group with what they tell of themselves.
 *
 * @param reports sorted by client id
 * @param missing brokers that did not say who is connected; members of theirs that another broker knows are there all the same
 */
public record GroupMembers(List<MemberReport> reports, List<MissingBroker> missing) {
  public GroupMembers {
    reports = List.copyOf(reports);
    missing = List.copyOf(missing);
  }
}
