/** Milliseconds allowed for reaching the target (name, TCP, TLS), for its head after that, and for its whole body. */
export type Deadlines = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number };

/** One timer that is moved from stage to stage of an exchange. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Immediate | undefined;

  /**
   * Replaces what was armed before. When this process was busy past the deadline, the answer may already lie
   * in the kernel: one more turn of the event loop lets it in before the target is blamed.
   */
  arm(ms: number, overdue: () => void): void {
    this.disarm();
    this.#timer = setTimeout(() => {
      this.#check = setImmediate(overdue);
    }, ms);
  }

  disarm(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#check);
  }
}
