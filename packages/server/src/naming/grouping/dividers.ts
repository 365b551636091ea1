import { fold } from '../../platform/text/sort-key.ts'
import { parseBookName } from '../book-name.ts'
import { kanjiNumerals, numberWords } from '../numerals.ts'
import { languages } from '../words.ts'

/** A folder that holds a part of a series and is none itself. */
export interface Divider {
  readonly volume?: number
  readonly isSpecial?: true
}

const folded = (words: string): readonly string[] => words.trim().split(/,\s+/).map(fold)

/** These hold books that stand in the order of their series. */
const partWords: ReadonlySet<string> = new Set(
  folded(`
  volume, volumes, vol, vols, chapter, chapters, season, seasons, issue, issues, episodes, books, parts, singles,
  single issues, trades, tpb, tpbs, trade paperbacks, collected editions, omnibus, omnibuses, arcs, story arcs,
  Bände, Einzelbände, Sammelbände, Kapitel, Folgen, Staffeln, Hefte, Einzelhefte, Ausgaben, Teile,
  Tomes, Volumes, Chapitres, Épisodes, Saisons, Numéros, Albums, Intégrales,
  Tomos, Volúmenes, Capítulos, Episodios, Temporadas, Números, Partes, Integrales,
  巻, 単行本, 単行本版, コミックス, 話, 各話, 単話, 章, シーズン, 連載, 連載版, 雑誌版`),
)

/** These hold books that stand beside it. */
const specialWords: ReadonlySet<string> = new Set(
  folded(`
  special, specials, extra, extras, annual, annuals, omake, omakes, bonus, bonuses, bonus chapters, side stories,
  side story, sidestories, one-shots, one shots, oneshots, spin-offs, artbooks, fanbooks, prequels, epilogues,
  Sonderbände, Sonderband, Sonderhefte, Sonderheft, Sonderausgaben, Zugabe, Zugaben, Spezial, Specials und Extras, Jahrbücher, Jahresbände, Zusatzkapitel,
  Bonuskapitel, Nebengeschichten, Extrakapitel,
  Hors-série, Hors-séries, Hors série, Annuel, Spécial, Spéciaux, Spéciales, Annuels, Suppléments, Histoires courtes,
  Especial, Especiales, Anual, Anuales, Extras y especiales, Historias cortas, Capítulos extra,
  番外, 番外編, 外伝, 特別編, 特別, 特典, おまけ, オマケ, 短編, 短編集, 増刊, 読み切り, 読切, スペシャル, 画集`),
)

/** How a folder divides the series in the folder above it, whose title this is. Undefined: it is a series by itself. */
export const readDivider = (folder: string, titleAbove: string): Divider | undefined => {
  const nameBehind = behind(fold(titleAbove), fold(folder))
  if (specialWords.has(nameBehind) || specialWords.has(fold(folder).replace(/ ?\d{1,4}$/, '')))
    return { isSpecial: true }
  if (partWords.has(nameBehind) || /^(?:story )?arc \d{1,3}(?: |$)/.test(nameBehind)) return {}
  if (!mayCount.test(folder.replace(/[([][^)\]]*[)\]]/g, '').trim() || folder)) return undefined
  const parsed = parseBookName(folder, { seriesName: titleAbove })
  const isNamedAlike = parsed.seriesTitle !== null && fold(parsed.seriesTitle) === fold(titleAbove)
  if (parsed.seriesTitle !== null && (!isNamedAlike || parsed.year !== null)) return undefined
  if (parsed.volume !== null && isSetOff(folder, parsed.title))
    return yearOfRun(folder) === undefined ? (parsed.volumeEnd === null ? { volume: parsed.volume } : {}) : undefined
  const isPart = parsed.chapter !== null || parsed.season !== null || parsed.part !== null
  return isPart && parsed.title === null ? {} : undefined
}

/** Without any of these a name counts nothing. Most folders have none, and to read a name is dear. */
const mayCount = new RegExp(
  String.raw`\p{Nd}|[${kanjiNumerals}上中下前后後]|(?<!\p{L})(?:[IVXivx]+|${numberWords.join('|')})(?!\p{L})`,
  'iu',
)

/** `Naruto/Naruto Specials` has the name of its series once more. */
const behind = (title: string, folder: string): string =>
  title !== '' && folder.startsWith(`${title} `) ? folder.slice(title.length + 1) : folder

/** `Volume 3 - The Last Battle` has a title behind its number; `Volume One Stories` is one. */
const isSetOff = (folder: string, title: string | null): boolean =>
  title === null || /[-–—:.,]\s*$/.test(folder.slice(0, Math.max(0, folder.indexOf(title))))

/** A folder that is called by a number alone: a volume, or a series such as `52`. */
export const bareNumber = (folder: string): number | undefined =>
  /^\d{1,3}$/.test(folder) ? Number(folder) : undefined

/** `01 - Romance Dawn`: a part of a series, or a series that comes first among others. */
export const isNumberedTitle = (folder: string): boolean => /^\d{1,3}(?:\s?[-–]\s|\.\s)\s*\p{L}/u.test(folder)

/** `German`, `ja`, `EN`: the same books in another language. `It` is a title. */
export const languageOfFolder = (folder: string): string | undefined =>
  /^\p{Lu}\p{Ll}{1,2}$/u.test(folder) ? undefined : languages.get(folder.toLowerCase())

/** `2016`, `(2016)`, `2016-2018` and `V2016` say when a run of the series above began, whose numbers begin anew. */
export const yearOfRun = (folder: string): number | undefined => {
  const year = /^(?:v(?:ol(?:ume)?)?[. ]*)?[([]?((?:19|20)\d\d)(?:\s?[-–]\s?(?:(?:19|20)\d\d)?)?[)\]]?$/i.exec(
    folder,
  )?.[1]
  return year === undefined ? undefined : Number(year)
}

/** Where Komga keeps books that belong to no series. */
export const isOneShotFolder = (folder: string): boolean => /^_?one[-_ ]?shots?_?$/i.test(folder)
