import type { CoverDto } from '@carrel/api'
import type { Spelling } from '../spelling.ts'

export const toCompatCover = ({ id, source, isSelected, width, height }: CoverDto, outId: Spelling['outId']) => ({
  id: outId(id),
  type: typeOf(source),
  selected: isSelected,
  mediaType: 'image/jpeg',
  fileSize: 0,
  width: width ?? 0,
  height: height ?? 0,
})

const typeOf = (source: string): 'GENERATED' | 'SIDECAR' | 'USER_UPLOADED' =>
  source === 'sidecar' ? 'SIDECAR' : source === 'upload' || source === 'page' ? 'USER_UPLOADED' : 'GENERATED'
