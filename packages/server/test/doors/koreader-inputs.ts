import type { Inputs } from '../visible-inputs.ts'

/** How the differential test asks what this door shows. */
export const koreaderInputs: Readonly<Record<string, Inputs | 'shows no content'>> = {}
