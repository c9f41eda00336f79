package io.metaq.replication;

import io.metaq.model.BrokerRole;
import java.util.Optional;

/**
 * How a broker replicates.
 *
 * @param host address slaves are waited for at
 * @param port port slaves are waited for at ({@code haListenPort})
 * @param heartbeatMs a side that sent nothing for so long gives a sign of life ({@code haSendHeartbeatInterval})
 * @param silenceMs a side that heard nothing for so long ends the connection ({@code haHousekeepingInterval})
 * @param batchBytes longest body of one transfer ({@code haTransferBatchSize})
 * @param limitBytesPerS what a slave is sent in a second at most, 0 = no limit ({@code maxHaTransferByteInSecond})
 * @param slavesNeeded slaves that must have a message before a producer that waits is answered, 0 for none
 * @param masterHa where a slave finds its master's log, when it is not to learn it ({@code haMasterAddress})
 */
public record ReplicationOptions(
    BrokerRole role,
    String host,
    int port,
    long heartbeatMs,
    long silenceMs,
    int batchBytes,
    long limitBytesPerS,
    int slavesNeeded,
    Optional<String> masterHa) {}
