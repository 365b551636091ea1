import type { Inputs } from '../visible-inputs.ts'

/** How the differential test asks what this door shows. */
export const compatInputs: Readonly<Record<string, Inputs | 'shows no content'>> = {}
