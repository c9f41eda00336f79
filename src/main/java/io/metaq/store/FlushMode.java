package io.metaq.store;

/** When a message counts as stored: once it is in the operating system's hands, or once it is on the disk. */
public enum FlushMode {
  /** Readable and answered at once; forced soon after, in the background. Survives the end of the process, not a power cut. */
  ASYNC_FLUSH,
  /** Readable and answered only after the force that covers it. */
  SYNC_FLUSH
}
