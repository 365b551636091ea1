import { analyse } from './analyse.ts'
import { sidecars } from './sidecars.ts'

/** All that a decoder can be asked for. A job gets plain data and gives plain data; parts are signs of life. */
export const jobs = { analyse, sidecars }

export type Jobs = typeof jobs
