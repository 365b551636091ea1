import { tinyJpeg } from './pictures.ts'

export interface FictionOptions {
  readonly encoding?: string
  /** It goes into the first chapter. */
  readonly long?: string
  readonly style?: string
}

/** A FictionBook with one of each kind of thing in it. */
export const fictionBook = ({ encoding = 'utf-8', long = 'Коротко', style = '' }: FictionOptions = {}): string => {
  const pictures = [5, 6].map((seed) => tinyJpeg(seed).toString('base64').replaceAll(/.{76}/g, '$&\n'))
  return `<?xml version="1.0" encoding="${encoding}"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<stylesheet type="text/css">${style}</stylesheet>
<description><title-info><genre>sf_fantasy</genre><genre>my_own</genre>
<author><first-name>Сергей</first-name><middle-name>Васильевич</middle-name><last-name>Лукьяненко</last-name></author>
<author><nickname>nick</nickname></author>
<book-title>Ночной &amp; дозор</book-title>
<annotation><p>First paragraph.</p><p>Second &lt;Sword&gt; paragraph.</p></annotation>
<keywords>ночь, Москва</keywords><date value="1998-01-02">1998</date>
<coverpage><image l:href="#cover.jpg"/></coverpage><lang>ru</lang><src-lang>ru</src-lang>
<translator><first-name>Tara</first-name><last-name>Translator</last-name></translator>
<sequence name="Дозоры" number="2.5"/></title-info>
<document-info><author><nickname>maker</nickname></author><id>1</id></document-info>
<publish-info><book-name>Other</book-name><publisher>АСТ</publisher><year>2004</year><isbn>978-0-306-40615-7</isbn><sequence name="Shelf" number="9"/></publish-info>
</description>
<body><title><p>Ночной</p><p>дозор</p></title><epigraph><p>Мы</p><text-author>Автор</text-author></epigraph>
<section><title><p>Часть первая</p></title>
<section><title><p>Глава 1</p><p>строка</p></title><p>${long}<a l:href="#n1" type="note">[1]</a></p></section>
<section id="two"><title><p>Глава 2</p></title><p>Дальше <a l:href="#inner one">там</a></p></section>
</section>
<section><title><p>Короткая</p></title><p><emphasis>em</emphasis><strong>st</strong><strikethrough>gone</strikethrough><sub>1</sub><sup>2</sup><code>c</code></p>
<poem><stanza><v>Строка</v><v>Другая</v></stanza></poem><empty-line/>
<table><tr><th colspan="2" align="center" onclick="x()">Head</th></tr><tr><td>1</td><td>2</td></tr></table>
<image l:href="#map.png" alt="Карта"/><p>in <image l:href="#map.png"/> line</p><p><a l:href="https://example.org/">web</a></p>
<section id="inner one"><title><p>Inner</p></title><subtitle>Sub</subtitle><cite><p>Cited</p></cite></section></section>
</body>
<body name="notes"><title><p>Примечания</p></title><section id="n1"><title><p>1</p></title><p>A note.</p></section></body>
<binary id="cover.jpg" content-type="image/jpeg">${pictures[0]}</binary>
<binary id="map.png" content-type="image/png">
${pictures[1]}
</binary><binary id="run.js" content-type="text/javascript">${Buffer.from('pwn()').toString('base64')}</binary>
</FictionBook>
`
}
