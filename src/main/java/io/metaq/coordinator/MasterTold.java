package io.metaq.coordinator;

import java.util.Optional;

/**
 * What a master told of progress in one round of questions, all of which rests on what its log holds in front of one position.
 *
 * @param offsets the consumers' progress; empty when the master gave none, or was told of more since
 * @param delays the progress of delayed delivery; empty when the master gave none
 * @param logEnd where its log ended after it had told them
 * @param outdates whether what it told in earlier rounds is not to be taken any more
 */
record MasterTold(Optional<OffsetsFile> offsets, Optional<DelayOffsetsFile> delays, long logEnd, boolean outdates) {}
