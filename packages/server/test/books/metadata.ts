/** Metadata as programs write it into books and beside them. */

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export interface ComicInfoPage {
  readonly image?: number
  readonly type?: string
}

/** `Pages` last, as ComicRack writes them. */
export const comicInfoXml = (
  fields: Readonly<Record<string, string | number>>,
  pages: readonly ComicInfoPage[] = [],
): string => {
  const elements = Object.entries(fields).map(([name, value]) => `  <${name}>${escaped(String(value))}</${name}>`)
  const images = pages.map(
    ({ image, type }, at) =>
      `    <Page${image === undefined ? '' : ` Image="${image}"`} ImageSize="${400_000 + at}" ImageWidth="1988" ImageHeight="3056"${type === undefined ? '' : ` Type="${type}"`} />`,
  )
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<ComicInfo xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">',
    ...elements,
    ...(images.length === 0 ? [] : ['  <Pages>', ...images, '  </Pages>']),
    '</ComicInfo>',
  ].join('\n')
}

/** An issue of a comic as ComicTagger describes it: what most files of a large library look like. */
export const typicalComicInfo = (issue = 12): string =>
  comicInfoXml(
    {
      Title: 'The Beginning of Everything',
      Series: 'Saga of the Stars',
      Number: issue,
      Count: 54,
      Volume: 2012,
      Summary: 'A long summary of what goes on in this issue, of people & places. '.repeat(12),
      Notes: 'Tagged with ComicTagger 1.3.2 using info from Comic Vine on 2021-05-01 10:11:12.  [Issue ID 394444]',
      Year: 2013,
      Month: 4,
      Day: 10,
      Writer: 'Ada Vaughan, Robert Downey, Jr.',
      Penciller: 'Fiona Staple',
      CoverArtist: 'Fiona Staple',
      Publisher: 'Picture House',
      Imprint: 'Small House',
      Genre: 'Science Fiction, Fantasy, science fiction',
      Tags: 'space; war',
      Web: 'https://comicvine.gamespot.com/saga-12/4000-394444/ https://comicvine.gamespot.com/saga/4050-51234/',
      PageCount: 24,
      LanguageISO: 'en',
      AgeRating: 'Mature 17+',
      Characters: 'Alana, Marko, Hazel',
      StoryArc: 'The Escape',
      CommunityRating: '4.35',
    },
    Array.from({ length: 24 }, (_, image) => (image === 0 ? { image, type: 'FrontCover' } : { image })),
  )

/** The package document of an EPUB; without `metadata` of the smallest kind. */
export const opfXml = (version: '2.0' | '3.0', metadata: string, rest = ''): string =>
  `<?xml version='1.0' encoding='utf-8'?>
<package xmlns="http://www.idpf.org/2007/opf" version="${version}" unique-identifier="uid">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">${metadata}</metadata>
  ${rest}
</package>`

/** Calibre writes this file beside each book. */
export const calibreOpf = (): string =>
  opfXml(
    '2.0',
    `
    <dc:identifier opf:scheme="calibre" id="calibre_id">4711</dc:identifier>
    <dc:identifier opf:scheme="uuid" id="uid">4c1c3ad8-7c55-4bd5-8f5e-2f6a7c5f1e11</dc:identifier>
    <dc:identifier opf:scheme="MOBI-ASIN">B000FC0SIM</dc:identifier>
    <dc:identifier opf:scheme="GOODREADS">77566</dc:identifier>
    <dc:identifier opf:scheme="ISBN">0-553-28368-5</dc:identifier>
    <dc:title>The Fall of the Sun</dc:title>
    <dc:creator opf:file-as="Simm, Dan &amp; Ray, Ann" opf:role="aut">Dan Simm &amp; Ann Ray</dc:creator>
    <dc:contributor opf:file-as="calibre" opf:role="bkp">calibre (6.11.0) [https://calibre-ebook.com]</dc:contributor>
    <dc:contributor opf:role="trl">Tove Ek</dc:contributor>
    <dc:date>1990-02-28T23:00:00+00:00</dc:date>
    <dc:description>&lt;div&gt;&lt;p&gt;First &lt;b&gt;words&lt;/b&gt;&amp;nbsp;here.&lt;/p&gt;&lt;p&gt;Second &amp;amp; last.&lt;/p&gt;&lt;/div&gt;</dc:description>
    <dc:publisher>Big House</dc:publisher>
    <dc:language>eng</dc:language>
    <dc:subject>Fiction</dc:subject>
    <dc:subject>Space Opera</dc:subject>
    <dc:subject>fiction</dc:subject>
    <meta name="calibre:author_link_map" content="{&quot;Dan Simm&quot;: &quot;&quot;}"/>
    <meta name="calibre:series" content="Cantos"/>
    <meta name="calibre:series_index" content="2.0"/>
    <meta name="calibre:rating" content="8.0"/>
    <meta name="calibre:timestamp" content="2020-01-02T03:04:05+00:00"/>
    <meta name="calibre:title_sort" content="Fall of the Sun, The"/>
    <meta name="calibre:user_metadata:#read" content="{&quot;label&quot;: &quot;read&quot;}"/>
  `,
    '<guide><reference type="cover" title="Cover" href="cover.jpg"/></guide>',
  )

/** Mylar writes this file into the folder of a series. */
export const seriesJson = (fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    version: '1.0.2',
    metadata: {
      type: 'comicSeries',
      publisher: 'Picture House',
      imprint: null,
      name: 'Saga of the Stars',
      comicid: 51_234,
      year: 2012,
      description_text: 'Two soldiers, one child.\n\nA long way.',
      description_formatted: null,
      volume: null,
      booktype: 'Print',
      age_rating: '17+',
      collects: null,
      comic_image: 'https://comicvine.gamespot.com/a/uploads/scale_large/6/1.jpg',
      total_issues: 54,
      publication_run: 'March 2012 - Present',
      status: 'Continuing',
      ...fields,
    },
  })

/** Each at most 4 MiB, and each to be refused: what it is, and the XML. */
export const hostileXml = (): readonly (readonly [what: string, xml: string])[] => {
  const size = 4 * 1024 * 1024 - 200
  const filled = (part: string): string => part.repeat(Math.floor(size / part.length))
  const entities = (subset: string, use: string): string =>
    `<?xml version="1.0"?><!DOCTYPE ComicInfo [${subset}]><ComicInfo><Title>${use}</Title></ComicInfo>`
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  return [
    ['an external entity', entities('<!ENTITY f SYSTEM "file:///etc/passwd">', '&f;')],
    ['an entity from the web', entities('<!ENTITY f SYSTEM "http://127.0.0.1:9/canary">', '&f;')],
    ['a parameter entity', entities('<!ENTITY % p SYSTEM "http://127.0.0.1:9/canary"> %p;', 'x')],
    ['an external subset', '<!DOCTYPE ComicInfo SYSTEM "file:///etc/passwd"><ComicInfo/>'],
    ['an external subset of HTML', '<!DOCTYPE html SYSTEM "http://127.0.0.1:9/canary"><html/>'],
    ['a subset in a known type', '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x" [<!ENTITY a "b">]><html/>'],
    ['a billion laughs', entities(`<!ENTITY l0 "lol">${laughs}`, '&l9;')],
    ['quadratic blow-up', entities(`<!ENTITY a "${'a'.repeat(1_000_000)}">`, '&a;'.repeat(10_000))],
    ['a document type of 4 MiB', `<!DOCTYPE ComicInfo [${filled('<!ENTITY a "b">')}]><ComicInfo/>`],
    ['a million references', `<ComicInfo><Title>${filled('&#65;')}</Title></ComicInfo>`],
    ['a million ampersands', `<ComicInfo><Title>${filled('&')}</Title></ComicInfo>`],
    ['deep nesting', '<a>'.repeat(100_000)],
    ['a million attributes', `<a ${Array.from({ length: 400_000 }, (_, at) => `b${at.toString(36)}=""`).join(' ')}/>`],
    ['a million elements', `<a>${filled('<b/>')}</a>`],
    ['elements full of attributes', `<a>${filled('<b c="" d="" e="" f="" g="" h="" />')}</a>`],
    ['a name of 4 MiB', `<${filled('a')}/>`],
    ['nothing but <', filled('<')],
    ['nothing', ''],
    ['nothing but space', filled(' ')],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['CDATA without an end', `<a>&${filled('<![CDATA[')}</a>`],
    ['EBCDIC', Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93, 0x6e]).toString('latin1')],
  ]
}

/** A PDF contains such a packet, with room to grow. */
export const xmpPacket = (properties: string): string =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" pdf:Producer="A Printer 1.0"/>
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${properties}</rdf:Description>
</rdf:RDF></x:xmpmeta>
${' '.repeat(2000)}
<?xpacket end="w"?>`
