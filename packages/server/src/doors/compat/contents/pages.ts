import type { PageDto } from '@carrel/api'
import type { CompatPageDto } from '@carrel/api/doors'
import { AppError, invalid, notFound } from '../../../platform/errors.ts'
import type { Media } from '../../../platform/media.ts'
import { formatSize } from '../records/formatting.ts'

/** These applications know no damaged book: what cannot be read is not there, and they show why. */
export const withoutDamage = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.code === 'damaged_file')
      throw new AppError('not_found', error.message, { cause: error })
    throw error
  }
}

export const toCompatPage = ({ pageNumber, fileName, mediaType, width, height, fileSize }: PageDto): CompatPageDto => ({
  number: pageNumber,
  fileName,
  mediaType,
  width,
  height,
  // A page that is drawn has none of its own.
  sizeBytes: fileSize === 0 ? null : fileSize,
  size: fileSize === 0 ? '' : formatSize(fileSize),
})

type Parameter = string | readonly string[] | undefined
const isTrue = (given: Parameter): boolean => [given].flat().at(0) === 'true'

/** It reads from the request which page is meant, and in which format. */
export const pageOptions = (
  number: number,
  { zero_based, convert }: { readonly zero_based?: Parameter; readonly convert?: Parameter },
): { readonly number: number; readonly format?: 'jpeg' | 'png' } => {
  const page = isTrue(zero_based) ? number + 1 : number
  if (page < 1) throw noSuchPage()
  const [format] = [convert].flat()
  if (format === undefined || format === '') return { number: page }
  const lowerFormat = format.toLowerCase()
  if (lowerFormat !== 'jpeg' && lowerFormat !== 'png') throw invalid('convert', 'convert must be jpeg or png.')
  return { number: page, format: lowerFormat }
}

/** A client that names documents rather than pictures gets a page as a document, unless it gives them the weight 0. */
export const wantsDocument = (
  { convert, contentNegotiation }: { readonly convert?: Parameter; readonly contentNegotiation?: Parameter },
  accept: string,
): boolean => {
  if ([convert].flat().at(0) || [contentNegotiation].flat().at(0) === 'false') return false
  const acceptedTypes = accept.split(',').map(optionsOf)
  const document = acceptedTypes.find(({ type }) => type === 'application/pdf')?.weight ?? 0
  const picture = Math.max(
    0,
    ...acceptedTypes.filter(({ type }) => type.startsWith('image/')).map(({ weight }) => weight),
  )
  return document > 0 && document >= picture
}

const optionsOf = (each: string): { readonly type: string; readonly weight: number } => {
  const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.flatMap((parameter) => /^q=([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1] ?? [])
  return { type, weight: Number(weight[0] ?? 1) }
}

/** The page is sent as it is when it cannot be converted: many clients can show it, and no page at all helps nobody. */
export const orAsItIs = (media: Media, asItIs: () => Promise<Media>): Media => ({
  ...media,
  read: async () => {
    try {
      return await media.read()
    } catch (error) {
      if (!(error instanceof Error) || !isUnsupported(error.cause)) throw error
      return (await asItIs()).read()
    }
  },
})

const isUnsupported = (fault: unknown): boolean =>
  typeof fault === 'object' && fault !== null && 'code' in fault && fault.code === 'unsupported'

/** They are used to hear that of a page beyond the end, and of a book that is not there that it is not. */
export const withPageRefusal = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.message === notFound('page').message) throw noSuchPage()
    throw error
  }
}

const noSuchPage = () => invalid('number', 'Page number does not exist')
