import { Type } from 'typebox'
import { OneOf } from '../../schema.ts'
import { byCompatId, CompatId } from './page.ts'
import { exampleId } from './shared.ts'

export const cover = {
  id: Type.String(),
  type: OneOf(['GENERATED', 'SIDECAR', 'USER_UPLOADED']),
  selected: Type.Boolean(),
  mediaType: Type.String(),
  fileSize: Type.Integer(),
  width: Type.Integer(),
  height: Type.Integer(),
}

export const exampleCover = {
  id: exampleId,
  type: 'GENERATED',
  selected: true,
  mediaType: 'image/jpeg',
  fileSize: 0,
  width: 533,
  height: 800,
} as const

const byCover = Type.Object({ id: CompatId, coverId: CompatId })
export const upload = {
  params: byCompatId,
  upload: { description: 'A picture of up to 10 MiB: the body itself, or the file of a form in parts.' },
  bodyBytesMax: 10 * 1024 * 1024 + 16 * 1024,
  errors: ['not_found', 'validation_failed', 'damaged_file'],
} as const
export const picture = { params: byCover, mediaType: 'image/*', errors: ['not_found'] } as const
export const choice = { params: byCover, errors: ['not_found'] } as const
