import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { byId, Count, Id, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Fonts'

/** The limit holds per user. */
export const fontsMax = 20
export const fontBytesMax = 5 * 1024 * 1024
export const fontFormats = ['woff2', 'otf', 'ttf'] as const

const Name = Type.String({ minLength: 1, maxLength: 100 })

export const FontDto = record(
  { id: Id, name: Name, format: OneOf(fontFormats), size: Count, createdAt: Timestamp },
  { title: 'Font' },
)
export type FontDto = Static<typeof FontDto>

const exampleFont: FontDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000090',
  name: 'Literata',
  format: 'woff2',
  size: 81_920,
  createdAt: '2026-11-21T10:00:00.000Z',
}

export const listFonts = endpoint('GET /api/v1/user/fonts', {
  summary: 'The fonts you read with',
  description: 'By name.',
  tag,
  access: 'signed-in',
  reply: record({ fonts: Type.Array(FontDto, { maxItems: fontsMax }) }, { title: 'Fonts' }),
  example: { reply: { fonts: [exampleFont] } },
})

export const uploadFont = endpoint('POST /api/v1/user/fonts', {
  summary: 'Bring a font to read with',
  description: `The body is the file. You can have ${fontsMax} of them, each under a name of its own.`,
  tag,
  access: 'progress:write',
  query: Type.Object({ name: Name }),
  upload: { description: 'A WOFF2, OpenType or TrueType font of up to 5 MiB; its content decides.' },
  bodyBytesMax: fontBytesMax,
  reply: FontDto,
  status: 201,
  errors: ['already_exists', 'conflict', 'validation_failed'],
  example: { reply: exampleFont },
})

export const readFont = endpoint('GET /api/v1/user/fonts/{id}', {
  summary: 'A font of yours',
  tag,
  access: 'signed-in',
  params: byId,
  mediaType: 'font/*',
  errors: ['not_found'],
})

export const deleteFont = endpoint('DELETE /api/v1/user/fonts/{id}', {
  summary: 'Remove a font',
  tag,
  access: 'progress:write',
  params: byId,
})
