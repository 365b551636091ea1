import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { zip } from '../packages/server/test/books/zip.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { scannedLibrary, settled, startApp } from './app.ts'
import { sharedBrowser } from './browser.ts'

// `npm run pictures` runs this: it makes the pictures of the README, from books that are drawn here and belong to nobody.

interface DrawnSeries {
  readonly title: string
  readonly author: string
  readonly colours: readonly [ground: string, shape: string, light: string]
  readonly shape: keyof typeof shapes
  readonly volumes: number
  readonly genre: string
}

const series: readonly DrawnSeries[] = [
  {
    title: 'The Salt Road',
    author: 'Ines Maro',
    colours: ['#f3d9b1', '#c8553d', '#2d3047'],
    shape: 'dunes',
    volumes: 4,
    genre: 'Adventure',
  },
  {
    title: 'Night Ferry',
    author: 'Tomas Lind',
    colours: ['#10243e', '#3c6e9f', '#f7c948'],
    shape: 'moon',
    volumes: 3,
    genre: 'Mystery',
  },
  {
    title: 'Garden of Iron',
    author: 'Mei Arata',
    colours: ['#e9efe5', '#4c7a5d', '#b23a48'],
    shape: 'leaves',
    volumes: 6,
    genre: 'Science Fiction',
  },
  {
    title: 'Small Gods of Rain',
    author: 'Oda Kell',
    colours: ['#d6e6ef', '#35607a', '#f08a5d'],
    shape: 'rain',
    volumes: 2,
    genre: 'Fantasy',
  },
  {
    title: 'Paper Comet',
    author: 'Lou Vasse',
    colours: ['#2b193d', '#7b4fa3', '#ffd166'],
    shape: 'comet',
    volumes: 5,
    genre: 'Science Fiction',
  },
  {
    title: 'Harbour Street',
    author: 'Nell Okafor',
    colours: ['#f6efe3', '#e0903f', '#274156'],
    shape: 'houses',
    volumes: 3,
    genre: 'Slice of life',
  },
  {
    title: 'Wolf in the Orchard',
    author: 'Aki Brandt',
    colours: ['#f4e4d4', '#8a3b2c', '#3f5a36'],
    shape: 'hills',
    volumes: 2,
    genre: 'Fantasy',
  },
  {
    title: 'Signal Nine',
    author: 'R. Castellan',
    colours: ['#0f1c1a', '#2f8f83', '#f25f5c'],
    shape: 'waves',
    volumes: 7,
    genre: 'Thriller',
  },
  {
    title: 'Tea for Ghosts',
    author: 'Yuna Sore',
    colours: ['#efe7f3', '#9a7aa0', '#3d2c4e'],
    shape: 'moon',
    volumes: 4,
    genre: 'Comedy',
  },
  {
    title: 'Low Tide Atlas',
    author: 'Ines Maro',
    colours: ['#e4f1ee', '#3d8d8a', '#f2a65a'],
    shape: 'waves',
    volumes: 1,
    genre: 'Adventure',
  },
  {
    title: 'Cartographer’s Winter',
    author: 'Ebba Roos',
    colours: ['#eef2f6', '#7c93a8', '#b8433b'],
    shape: 'hills',
    volumes: 3,
    genre: 'Drama',
  },
  {
    title: 'Copper & Crow',
    author: 'Dov Amari',
    colours: ['#281f1a', '#b8692e', '#e9d8a6'],
    shape: 'comet',
    volumes: 2,
    genre: 'Fantasy',
  },
]

/** Each draws into a field of 600 by 900, the title above it. */
const shapes = {
  dunes: (shape: string, light: string) =>
    `<circle cx="420" cy="330" r="110" fill="${light}" opacity=".9"/>${wave(520, 60, shape, 0.55)}${wave(620, 90, shape, 0.8)}${wave(740, 70, light, 1)}`,
  moon: (shape: string, light: string) =>
    `<circle cx="300" cy="420" r="150" fill="${light}"/>${wave(600, 30, shape, 0.7)}${wave(680, 40, shape, 0.85)}${wave(780, 30, shape, 1)}`,
  leaves: (shape: string, light: string) =>
    range(9)
      .map(
        (n) =>
          `<ellipse cx="${120 + (n % 3) * 180}" cy="${370 + Math.floor(n / 3) * 170}" rx="44" ry="92" fill="${n === 4 ? light : shape}" transform="rotate(${n * 37} ${120 + (n % 3) * 180} ${370 + Math.floor(n / 3) * 170})"/>`,
      )
      .join(''),
  rain: (shape: string, light: string) =>
    `${range(40)
      .map(
        (n) =>
          `<line x1="${(n * 97) % 620}" y1="${300 + ((n * 61) % 520)}" x2="${((n * 97) % 620) - 22}" y2="${370 + ((n * 61) % 520)}" stroke="${shape}" stroke-width="7" stroke-linecap="round" opacity=".7"/>`,
      )
      .join(
        '',
      )}<path d="M150 640 a150 150 0 0 1 300 0 z" fill="${light}"/><line x1="300" y1="640" x2="300" y2="800" stroke="${light}" stroke-width="12"/>`,
  comet: (shape: string, light: string) =>
    `${range(5)
      .map(
        (n) =>
          `<line x1="${90 + n * 26}" y1="${800 - n * 14}" x2="${400 - n * 10}" y2="${430 + n * 22}" stroke="${shape}" stroke-width="${34 - n * 5}" stroke-linecap="round" opacity="${0.35 + n * 0.13}"/>`,
      )
      .join('')}<circle cx="420" cy="420" r="64" fill="${light}"/>`,
  houses: (shape: string, light: string) =>
    range(6)
      .map(
        (n) =>
          `<path d="M${n * 102} 900 V${520 + ((n * 83) % 150)} l51 -70 l51 70 V900 z" fill="${n % 2 === 0 ? shape : light}"/><rect x="${n * 102 + 34}" y="${640 + ((n * 83) % 150)}" width="34" height="46" fill="#fff3d6" opacity=".85"/>`,
      )
      .join(''),
  hills: (shape: string, light: string) =>
    `<circle cx="170" cy="360" r="70" fill="${light}"/><path d="M0 900 L210 470 L400 900 z" fill="${shape}" opacity=".75"/><path d="M180 900 L420 540 L640 900 z" fill="${shape}"/>${wave(820, 25, light, 1)}`,
  waves: (shape: string, light: string) =>
    `<rect x="270" y="330" width="60" height="400" fill="${light}"/><circle cx="300" cy="330" r="60" fill="${light}"/>${range(
      5,
    )
      .map((n) => wave(600 + n * 62, 24, shape, 0.4 + n * 0.15))
      .join('')}`,
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const wave = (y: number, height: number, colour: string, opacity: number): string =>
  `<path d="M-300 ${y} q150 ${height} 300 0 t300 0 t300 0 V900 H-300 z" fill="${colour}" opacity="${opacity}"/>`

/** Each volume has the colours of its series, turned a little further. */
const turned = (drawn: DrawnSeries, volume: number): DrawnSeries => {
  const turn = (colour: string) => `oklch(from ${colour} l c calc(h + ${Math.max(0, volume - 1) * 40}))`
  const [ground, shape, light] = drawn.colours
  return { ...drawn, colours: [turn(ground), turn(shape), turn(light)] }
}

const coverOf = (
  { title, author, colours: [ground, shape, light], shape: kind }: DrawnSeries,
  volume: number,
): string =>
  `<svg viewBox="0 0 600 900" style="background:${ground}"><g transform="translate(${(volume * 29) % 60} 0)">${shapes[kind](shape, light)}</g></svg>
  <div style="position:absolute;inset:56px 48px auto;color:${light};font:700 64px/1.04 'Open Sans',sans-serif;letter-spacing:-1.5px">${title.replace('&', '&amp;')}</div>
  <div style="position:absolute;left:48px;bottom:44px;padding:8px 18px;background:${ground};color:${light};font:600 27px 'Open Sans',sans-serif;border-radius:99px">${author}${volumeMark(volume)}</div>`

const volumeMark = (volume: number): string => (volume > 0 ? ` · ${volume}` : '')

/** A page of panels, so that the reader has something to show. */
const pageOf = ({ colours: [ground, shape, light], shape: kind }: DrawnSeries, page: number): string =>
  `<div style="position:absolute;inset:0;background:#fffdf8;display:grid;gap:14px;padding:26px;grid-template:${page % 2 === 0 ? '"a a" 1fr "b c" 1fr "d d" .8fr' : '"a b" .8fr "c c" 1.2fr "d b2" .8fr'} / 1fr 1fr">
  ${range(page % 2 === 0 ? 4 : 5)
    .map(
      (n) =>
        `<div style="border:3px solid #222;overflow:hidden;grid-area:${['a', 'b', 'c', 'd', 'b2'][n]};background:${n % 2 === 0 ? ground : `${shape}22`}"><svg viewBox="${(n * 70) % 180} ${250 + ((n * 90 + page * 40) % 200)} 420 420" preserveAspectRatio="xMidYMid slice" width="100%" height="100%">${shapes[kind](shape, light)}</svg></div>`,
    )
    .join('')}</div>`

const draw = async (pictures: readonly string[]): Promise<Buffer[]> => {
  const browser = await sharedBrowser()
  const page = await browser.newPage({ viewport: { width: 600, height: 900 } })
  const drawn: Buffer[] = []
  for (const picture of pictures) {
    await page.setContent(`<body style="margin:0;position:relative;height:900px;overflow:hidden">${picture}</body>`)
    drawn.push(await page.screenshot({ type: 'jpeg', quality: 86 }))
  }
  await page.close()
  return drawn
}

/** Pictures below the fold come when somebody scrolls. */
const hasAllPictures =
  '[...document.images].every((image) => image.getBoundingClientRect().top > innerHeight || (image.complete && image.naturalWidth > 0))'

const folder = process.env['PICTURES'] ?? ''

test('the pictures of the README', async () => {
  await using app = await startApp({ books: [] })
  for (const one of series) {
    for (const volume of range(one.volumes)) {
      const pages = await draw([
        coverOf(turned(one, volume + 1), one.volumes > 1 ? volume + 1 : 0),
        ...range(6).map((page) => pageOf(one, page + volume)),
      ])
      const info = {
        Series: one.title,
        Number: volume + 1,
        Writer: one.author,
        Publisher: 'Picture House',
        Genre: one.genre,
        Year: 2019 + volume,
        Summary: `${one.title} follows those who stay when everybody else has left. `.repeat(4),
      }
      const members = pages.map((bytes, index) => ({ name: `${index + 1}.jpg`, bytes, method: 'stored' as const }))
      await app.folder.write(
        `${one.title}/${one.title} ${volume + 1}.cbz`,
        zip([...members, { name: 'ComicInfo.xml', bytes: Buffer.from(comicInfoXml(info)), method: 'stored' }]),
      )
    }
  }
  await scannedLibrary(app.admin, app.folder.path)
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100 } }))
  for (const [index, book] of data.filter(({ number }) => Number(number) === 1).entries()) {
    if (index % 2 === 0)
      await app.admin.call(api.saveProgress, { params: { id: book.id }, body: { currentPage: 2 + (index % 4) } })
  }
  const { data: all } = bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } }))
  const shown = all.find(({ title }) => title === 'Garden of Iron')
  for (const { name, look, path } of [
    { name: 'home-light', look: 'light', path: '/' },
    { name: 'series-dark', look: 'dark', path: `/series/${shown?.id}` },
  ] as const) {
    await using screen = await app.screen({ look })
    await screen.open(path)
    await settled(screen.page)
    await waitUntil('every picture that is in view', () => screen.page.evaluate<boolean>(hasAllPictures))
    await screen.page.screenshot({ path: join(folder, `${name}.png`) })
  }
  expect(shown).toBeDefined()
})
