/** The words that names are made of, in the languages libraries are written in. All in lower case, composed. */
const listed = (words: string): readonly string[] => words.trim().split(/,\s+/)

/** These name a physical unit: a volume, a book, a tankōbon. */
export const volumeWords = listed(`
  volumes, volume, vols, vol, book, books,
  tomes, tome, livre, tomo, tomos, libro, livro, volumen, volúmenes,
  bände, band, bd, buch, deel, boek, bind, bok, tom, cilt, jilid, osa, τόμος,
  том, тома, т, книга, кн, tập, เล่มที่, เล่ม, المجلد, مجلد
`)

/** These name a unit of reading. */
export const chapterWords = listed(`
  chapters, chapter, chapt, chaps, chap, chs, ch, episodes, episode, eps, ep,
  chapitres, chapitre, capítulos, capítulo, capitulos, capitulo, capitolo, capitoli, cap,
  kapitel, kap, hoofdstuk, rozdział, rozdzial, kapitola, bölüm, bolum, fejezet, luku,
  глава, главы, гл, розділ, chương, chuong, ตอนที่, ตอน, الفصل, فصل, κεφάλαιο
`)

/** These name a publication: an issue, a number. */
export const numberWordsOf = listed(`
  issues, issue, no, nos, nr, núm, num, number, numero, número, numéro, nummer,
  prog, programme, heft, ausgabe, edição, edicao, edición, fascicolo, zeszyt, выпуск, вып
`)

export const partWords = ['part', 'pt', 'partie', 'parte', 'teil', 'część', 'часть', 'ч', 'частина', 'kısım'] as const

export const seasonWords = [
  'season',
  'saison',
  'staffel',
  'temporada',
  'stagione',
  'сезон',
  'sezon',
  'シーズン',
  '시즌',
] as const

/** These stand beside the order of a series. */
export const specialWords = listed(`
  specials, special, extras, extra, omake, bonus, side stories, side story,
  hors-série, hors série, spécial, especial, speciale, sonderband, sonderheft,
  экстра, спецвыпуск, спешл, 番外編, 番外篇, 番外, 外伝, 外传, 特別編, 特别篇, おまけ,
  외전, 번외편, 번외, 특별편
`)

/** These say how a file was made, and nothing of the book. */
export const releaseWords: ReadonlySet<string> = new Set(
  listed(`
  digital, dig, web, webrip, web-rip, web-dl, webdl, scan, scanned, hybrid, paper, retail,
  c2c, ctc, noads, no ads, f, fixed, fix, hq, lq, hd, sd, hi-res, hires, mq, uhd, 4k,
  digital-hd, digital-sd, digital hd, hd-upscaled, upscaled, repack, rerip, proper, raw, raws,
  cbz, cbr, cb7, pdf, epub, mobi, azw3, fb2, ebook, e-book, manga, comic, comics, manhwa,
  manhua, webtoon, complete, completed, ongoing, end, fin, ended, final, mag, magazine,
  完, 完结, 完結, 완, 완결, dl版, 漫画, 漫畫, 만화, 一般コミック, 成年コミック, 同人誌, 小説
`),
)

/** Release words that also stand outside brackets, after which nothing of the book follows. */
export const tailWords = ['digital', 'webrip', 'web-dl', 'c2c', 'retail', 'ebook'] as const

/** The key is the ISO 639-1 code, the values are how the language is written in brackets. */
export const languages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    en: ['en', 'eng', 'english'],
    fr: ['fr', 'fra', 'fre', 'french', 'français', 'francais', 'vf'],
    de: ['de', 'ger', 'deu', 'german', 'deutsch'],
    es: ['es', 'spa', 'esp', 'spanish', 'español', 'castellano'],
    it: ['it', 'ita', 'italian', 'italiano'],
    pt: ['pt', 'por', 'portuguese', 'português'],
    'pt-br': ['pt-br', 'ptbr', 'br', 'brazilian'],
    nl: ['nl', 'dut', 'nld', 'dutch', 'nederlands'],
    pl: ['pl', 'pol', 'polish', 'polski'],
    ru: ['ru', 'rus', 'russian', 'русский'],
    uk: ['uk', 'ukr', 'ukrainian'],
    tr: ['tr', 'tur', 'turkish', 'türkçe'],
    ja: ['ja', 'jp', 'jpn', 'jap', 'japanese', '日本語'],
    ko: ['ko', 'kr', 'kor', 'korean', '한국어'],
    zh: ['zh', 'cn', 'chi', 'chs', 'cht', 'zh-cn', 'zh-tw', 'chinese', '中文'],
    vi: ['vi', 'vie', 'vietnamese'],
    th: ['th', 'tha', 'thai'],
    id: ['id', 'ind', 'indonesian'],
    ar: ['ar', 'ara', 'arabic'],
    sv: ['sv', 'swe', 'swedish'],
    da: ['da', 'dan', 'danish'],
    fi: ['fi', 'finnish'],
    cs: ['cs', 'cze', 'czech'],
    hu: ['hu', 'hun', 'hungarian'],
  }).flatMap(([code, written]) => written.map((word) => [word, code] as const)),
)

/** These words in names say how a book was put together. */
export const editions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TPB: ['tpb', 'tp', 'trade paperback'],
    Hardcover: ['hc', 'hardcover'],
    'Graphic Novel': ['gn', 'ogn', 'graphic novel'],
    Omnibus: ['omnibus', 'omnibus edition'],
    'Deluxe Edition': ['deluxe', 'deluxe edition'],
    'Perfect Edition': ['perfect edition'],
    "Collector's Edition": ["collector's edition", 'collectors edition'],
    'Full Color': [
      'full color',
      'full colour',
      'colored',
      'coloured',
      'digital colored',
      'digital colored comics',
      'color',
    ],
    'Light Novel': ['light novel', 'ln', 'light novels'],
    Novel: ['novel', 'web novel'],
    'One-shot': ['one-shot', 'oneshot', 'one shot', '読み切り', '読切'],
    FCBD: ['fcbd', 'free comic book day'],
    Annual: ['annual'],
  }).flatMap(([edition, written]) => written.map((word) => [word, edition] as const)),
)

/** Editions that are part of the title where they stand in it. */
export const titledEditions = ['omnibus', 'deluxe edition', 'perfect edition', "collector's edition"] as const

export const specialEditions: ReadonlySet<string> = new Set(['One-shot', 'FCBD', 'Annual'])

/** Words no person is called: what holds one is a title. */
export const titleWords: ReadonlySet<string> = new Set(
  listed(`
  the, a, an, of, and, in, on, to, for, with, from, at, by, my, your, his, her,
  no, not, is, are, was, we, i, you, it, that, this, who, what, when, how, or, vs,
  les, un, une, et, das, die, und, ein, eine, el, los, las, y, il, gli, e, new
`),
)

/** Words inside a person's name that are written small. */
export const nameParticles: ReadonlySet<string> = new Set(
  listed(`
  de, du, des, del, della, di, da, van, von, der, den, ter, te, le, la, al, bin, dos
`),
)
