import { type FontDto, fontsMax } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { full, invalid, nameTaken, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Media } from '../../platform/media.ts'
import { cleanName } from '../../platform/text/names.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { lockUser } from '../../database/lock-user.ts'
import { fontFormatOf } from './font-format.ts'
import { deleteFont, insertFont, selectBytes, selectFont, selectFonts } from './queries.ts'

export const listFonts = async (db: ReadDb, userId: string): Promise<{ fonts: FontDto[] }> => ({
  fonts: await selectFonts(db, userId),
})

export const addFont = async (
  db: Database,
  userId: string,
  font: { readonly name: string; readonly bytes: Buffer },
  now: Date,
): Promise<FontDto> => {
  const { bytes } = font
  const name = cleanName(font.name, 'name')
  const format = fontFormatOf(bytes)
  if (format === undefined) throw invalid('', 'This is not a whole WOFF2, OpenType or TrueType font.')
  const row = {
    id: newId(now.getTime()),
    user_id: userId,
    name,
    name_key: nameKey(name),
    format,
    size: bytes.length,
    bytes,
    created_at: now.toISOString(),
  }
  await db.write(async (db) => {
    await lockUser(db, userId)
    const fonts = await selectFonts(db, userId)
    if (fonts.some((each) => nameKey(each.name) === row.name_key))
      throw nameTaken(name, `You have a font named ${name} already.`)
    if (fonts.length >= fontsMax) throw full(fontsMax, `You have ${fontsMax} fonts already. Remove one of them first.`)
    await insertFont(db, row)
  })
  return { id: row.id, name, format, size: bytes.length, createdAt: row.created_at }
}

export const readFont = async (db: ReadDb, userId: string, id: string): Promise<Media> => {
  const font = await selectFont(db, userId, id)
  if (!font) throw notFound('font')
  const { format, name } = font
  return {
    etag: id,
    // Its bytes never change: another file is another font.
    isImmutable: true,
    read: async () => {
      const bytes = await selectBytes(db, userId, id)
      if (!bytes) throw notFound('font')
      return { mediaType: `font/${format}`, bytes: Buffer.from(bytes), fileName: `${name}.${format}` }
    },
  }
}

export const removeFont = (db: Database, userId: string, id: string): Promise<undefined> =>
  db.write(async (db) => {
    await deleteFont(db, userId, id)
    return undefined
  })
