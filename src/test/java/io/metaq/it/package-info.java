/**
 * Black-box tests of the packaged jar, run as a child process: {@code official} with the unmodified Apache RocketMQ clients,
 * {@code wire} with hand-made frames, {@code crash} with kill -9 and damaged folders, {@code peer} with official servers.
 * Nothing here uses a class of the product.
 */
package io.metaq.it;
