import type { LibraryEntry } from '@carrel/plugin-sdk'
import type { Feature } from './features.ts'
import { stateOf } from './taste.ts'

/** A reason may name series that the user has rated this high. */
const likedFrom = 75

interface ReasonTexts {
  readonly and: string
  readonly because: (deeds: string, common: string) => string
  readonly rated: (titles: string, stars: number) => string
  readonly finished: (titles: string) => string
  readonly reading: (titles: string) => string
  readonly planned: (titles: string) => string
  readonly author: (names: string) => string
  readonly themes: (names: string) => string
  readonly genre: (names: string) => string
  readonly publisher: (names: string) => string
}

const english: ReasonTexts = {
  and: ' and ',
  because: (deeds, common) => `Because you ${deeds}: ${common}.`,
  rated: (titles, stars) => `gave ${titles} ${stars} of 5 stars`,
  finished: (titles) => `finished ${titles}`,
  reading: (titles) => `are reading ${titles}`,
  planned: (titles) => `want to read ${titles}`,
  author: (names) => `also by ${names}`,
  themes: (names) => `also about ${names}`,
  genre: (names) => `also of the genre ${names}`,
  publisher: (names) => `also published by ${names}`,
}

const german: ReasonTexts = {
  and: ' und ',
  because: (deeds, common) => `Weil du ${deeds}: ${common}.`,
  rated: (titles, stars) => `${titles} ${withComma(stars)} von 5 Sternen gegeben hast`,
  finished: (titles) => `${titles} ausgelesen hast`,
  reading: (titles) => `gerade ${titles} liest`,
  planned: (titles) => `${titles} lesen willst`,
  author: (names) => `auch von ${names}`,
  themes: (names) => `auch über ${names}`,
  genre: (names) => `auch aus dem Genre ${names}`,
  publisher: (names) => `auch erschienen bei ${names}`,
}

const french: ReasonTexts = {
  and: ' et ',
  because: (deeds, common) => `Parce que vous ${deeds}\u202f: ${common}.`,
  rated: (titles, stars) => `avez donné ${withComma(stars)} étoiles sur 5 à ${titles}`,
  finished: (titles) => `avez terminé ${titles}`,
  reading: (titles) => `lisez ${titles}`,
  planned: (titles) => `voulez lire ${titles}`,
  author: (names) => `aussi de ${names}`,
  themes: (names) => `parle aussi de ${names}`,
  genre: (names) => `aussi du genre ${names}`,
  publisher: (names) => `aussi publié par ${names}`,
}

const spanish: ReasonTexts = {
  and: ' y ',
  because: (deeds, common) => `Porque ${deeds}: ${common}.`,
  rated: (titles, stars) => `diste a ${titles} ${withComma(stars)} de 5 estrellas`,
  finished: (titles) => `terminaste ${titles}`,
  reading: (titles) => `estás leyendo ${titles}`,
  planned: (titles) => `quieres leer ${titles}`,
  author: (names) => `también de ${names}`,
  themes: (names) => `también sobre ${names}`,
  genre: (names) => `también del género ${names}`,
  publisher: (names) => `también publicado por ${names}`,
}

const portuguese: ReasonTexts = {
  and: ' e ',
  because: (deeds, common) => `Porque você ${deeds}: ${common}.`,
  rated: (titles, stars) => `deu a ${titles} ${withComma(stars)} de 5 estrelas`,
  finished: (titles) => `terminou ${titles}`,
  reading: (titles) => `está lendo ${titles}`,
  planned: (titles) => `quer ler ${titles}`,
  author: (names) => `também de ${names}`,
  themes: (names) => `também sobre ${names}`,
  genre: (names) => `também do gênero ${names}`,
  publisher: (names) => `também publicado por ${names}`,
}

const japanese: ReasonTexts = {
  and: '、',
  because: (deeds, common) => `${deeds}ため: ${common}。`,
  rated: (titles, stars) => `${titles}に星${stars}（5つ中）を付けた`,
  finished: (titles) => `${titles}を読み終えた`,
  reading: (titles) => `${titles}を読んでいる`,
  planned: (titles) => `${titles}を読みたい`,
  author: (names) => `同じ${names}の作品`,
  themes: (names) => `同じテーマ: ${names}`,
  genre: (names) => `同じジャンル: ${names}`,
  publisher: (names) => `同じ出版社: ${names}`,
}

const chinese: ReasonTexts = {
  and: '和',
  because: (deeds, common) => `因为你${deeds}：${common}。`,
  rated: (titles, stars) => `给 ${titles} 打了 ${stars} 星（满分 5 星）`,
  finished: (titles) => `读完了 ${titles}`,
  reading: (titles) => `正在读 ${titles}`,
  planned: (titles) => `想读 ${titles}`,
  author: (names) => `同为 ${names} 的作品`,
  themes: (names) => `同样涉及 ${names}`,
  genre: (names) => `同属 ${names} 类型`,
  publisher: (names) => `同由 ${names} 出版`,
}

const korean: ReasonTexts = {
  and: ', ',
  because: (deeds, common) => `${deeds} 때문에: ${common}.`,
  rated: (titles, stars) => `${titles}에 별 ${stars}개(5개 중)를 줬기`,
  finished: (titles) => `${titles}을(를) 다 읽었기`,
  reading: (titles) => `${titles}을(를) 읽고 있기`,
  planned: (titles) => `${titles}을(를) 읽고 싶어 하기`,
  author: (names) => `역시 ${names}의 작품`,
  themes: (names) => `역시 ${names}에 관한 것`,
  genre: (names) => `역시 ${names} 장르`,
  publisher: (names) => `역시 ${names} 출판`,
}

const arabic: ReasonTexts = {
  and: ' و',
  because: (deeds, common) => `لأنك ${deeds}: ${common}.`,
  rated: (titles, stars) => `منحت ${titles} ${stars} من 5 نجوم`,
  finished: (titles) => `أنهيت ${titles}`,
  reading: (titles) => `تقرأ ${titles}`,
  planned: (titles) => `تريد قراءة ${titles}`,
  author: (names) => `أيضًا لـ ${names}`,
  themes: (names) => `أيضًا عن ${names}`,
  genre: (names) => `أيضًا من نوع ${names}`,
  publisher: (names) => `أيضًا من إصدار ${names}`,
}

/** Half stars, where a comma divides. */
const withComma = (stars: number): string => String(stars).replace('.', ',')

const languages = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  'pt-BR': portuguese,
  ja: japanese,
  'zh-Hans': chinese,
  ko: korean,
  ar: arabic,
} as const
export type Language = keyof typeof languages

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)

/** `de-AT` is read in German, `pt` in Brazilian Portuguese; what we do not speak in English. */
export const languageOf = (tag: string | null | undefined): Language => {
  if (tag == null) return 'en'
  if (isLanguage(tag)) return tag
  const [language = ''] = tag.split('-')
  return (
    Object.keys(languages).find((each): each is Language => each.split('-')[0] === language && isLanguage(each)) ?? 'en'
  )
}

export interface InCommon {
  /** The recommendation shares these with the first series it is recommended for, the most telling features first. */
  readonly first: readonly Feature[]
  /** The recommendation shares these with both the first series and the second. */
  readonly both: readonly Feature[]
}

/** One sentence: what they did with which series, and what those have in common with this one. */
export const reasonFor = (because: readonly LibraryEntry[], common: InCommon, language: Language): string => {
  const words = languages[language]
  const [first, second] = because
  if (!first) return ''
  const deed = deedOf(first)
  if (deed === 'rated') {
    return words.because(words.rated(first.title, starsOf(first.userRating ?? 0)), commonIn(words, common.first))
  }
  const isPair = second !== undefined && deedOf(second) === deed && common.both.length > 0
  const titles = listed(words, isPair ? [first.title, second.title] : [first.title])
  return words.because(words[deed](titles), commonIn(words, isPair ? common.both : common.first))
}

/** People rate in half stars. */
const starsOf = (rating: number): number => Math.round(rating / 10) / 2

const deedOf = (entry: LibraryEntry): 'rated' | 'finished' | 'reading' | 'planned' => {
  if ((entry.userRating ?? 0) >= likedFrom) return 'rated'
  const state = stateOf(entry)
  if (state === 'completed') return 'finished'
  return state === 'plan_to_read' ? 'planned' : 'reading'
}

const commonIn = (words: ReasonTexts, common: readonly Feature[]): string => {
  const named = (kind: Feature['kind'], most: number): string[] =>
    common
      .filter((feature) => feature.kind === kind)
      .slice(0, most)
      .map(({ name }) => name)
  const [authors, tags, genres, publishers] = [
    named('author', 2),
    named('tag', 2),
    named('genre', 2),
    named('publisher', 1),
  ]
  const parts = [
    authors.length > 0 && words.author(listed(words, authors)),
    tags.length > 0 && words.themes(listed(words, tags)),
    genres.length > 0 && words.genre(listed(words, genres)),
    publishers.length > 0 && words.publisher(listed(words, publishers)),
  ].filter((part) => part !== false)
  return parts.slice(0, 2).join('; ')
}

const listed = ({ and }: ReasonTexts, names: readonly string[]): string => names.join(and)
