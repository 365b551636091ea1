import { Type } from 'typebox'
import { toneOfCover } from './cover-tone.ts'
import { Nullable } from './schema.ts'

/** What every DTO tells of the cover it is drawn by. */
export const coverFields = {
  coverVersion: Type.String({ description: 'Changes with the cover; part of its address.' }),
  placeholder: Nullable(Type.String({ description: 'Thumbhash of the cover, base64.' })),
  tone: toneOfCover,
}
