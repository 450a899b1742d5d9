/** Answers over which rules of several answers are judged: a busy page asks for as many in some minutes. */
export const windowAnswers = 512;

/** Bytes of their bodies together; what is read of them takes about ten times as much. */
export const windowBytes = 16 << 20;

/** Longest body that is judged, encoded and decoded: a year of hours has 2.2 million bytes. */
export const mostBodyBytes = 4 << 20;

/** Exchanges, and bytes of bodies, that wait for the judge or are being copied for it. */
export const mostWaiting = 1024;
export const mostWaitingBytes = 64 << 20;

/** Exchanges that are judged together: what judging costs once for each time is shared by them. */
export const mostTogether = 64;

/** Bytes of their bodies: what is read of them takes twenty times as much where a target means it to. */
export const mostTogetherBytes = 2 << 20;

/** Least time in ms between two observations, in which some come together. */
export const leastRestMs = 25;

/** Findings that are kept apart; a hostile target may make up places without end. */
export const mostFindings = 500;

/** Exchanges that are kept of a finding, and bytes of the bodies of all of them. */
export const mostExamples = 3;
export const mostKeptBytes = 32 << 20;

/** Exchanges that are kept of a minute of an operation: a percentile of an hour has some hundred of them. */
export const mostSamples = 8;
