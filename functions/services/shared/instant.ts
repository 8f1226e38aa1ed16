/** Converts epoch milliseconds to the ISO text that records contain. */
export const toInstant = (ms: number): string => new Date(ms).toISOString();
