/**
 * The reactive client: producer and consumer as Mutiny {@code Uni} and {@code Multi}. It lives on the application's Vert.x, 4.5 or 5,
 * and uses only public API that both have; it sees nothing of the server but the codec. Start at {@link io.metaq.client.MetaqClient}.
 *
 * <p>All state of one client is confined to one Vert.x context ({@code Home}): calls from elsewhere are handed over, answers go back to
 * the caller's context.
 */
package io.metaq.client;
