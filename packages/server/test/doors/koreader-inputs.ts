import type { Inputs } from '../visible-inputs.ts'

/** How the differential test asks what this door shows. */
export const koreaderInputs: Readonly<Record<string, Inputs | 'shows no content'>> = {
  // Each book of that world is known to KOReader by its id.
  'GET /koreader/syncs/progress/{document}': { of: 'book' },
  'GET /koreader/webdav/{path}': 'shows no content',
}
