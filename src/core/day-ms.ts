/** A day of UTC, which knows no summer time. */
export const dayMs = 86_400_000;
