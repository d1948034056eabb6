// How often the server has to say what contradicts everything that is stored.

/** Run dates in a row after which the same answer is believed, the newest included. */
export const datesToBelieve = 3;
