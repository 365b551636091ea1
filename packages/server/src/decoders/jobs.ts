import { analyse } from './analyse.ts'

/** All that a decoder can be asked for. A job gets plain data and gives plain data; parts are signs of life. */
export const jobs = { analyse }

export type Jobs = typeof jobs
