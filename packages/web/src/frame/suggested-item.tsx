import type { Suggestions } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BookName } from '../text/book-name.tsx'
import { wordText } from '../text/condition-word.ts'
import { bookCover, seriesCover } from '../lists/item/addresses.ts'
import { paths } from '../navigation/paths.ts'
import { Cover } from '../ui/cover/cover.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Stack, Text } from '../ui/layout/layout.tsx'
import styles from './suggested-item.module.css'

type Suggestion = Suggestions['suggestions'][number]

const icons: Readonly<Record<Suggestion['kind'], IconName>> = {
  series: 'series',
  book: 'book',
  person: 'person',
  collection: 'collection',
  readlist: 'list',
}

export const pathOfSuggestion = ({ kind, id, value }: Suggestion): string => {
  switch (kind) {
    case 'series':
      return paths.series(id)
    case 'book':
      return paths.book(id)
    case 'person':
      return paths.advancedSearch({
        of: 'series',
        where: `author=${wordText(value)}`,
      })
    case 'collection':
      return paths.collection(id)
    case 'readlist':
      return paths.readList(id)
  }
}

/** It shows a suggestion: its cover, its name, and what tells it from others of that name. */
export const SuggestedItem = ({ suggestion }: { readonly suggestion: Suggestion }): ReactNode => {
  const { t } = useTranslation()
  const { kind, count, authors = [], year, libraryName } = suggestion
  const hint = [t(`searchBox.kind.${kind}`, { count }), authors.join(', '), year ?? '', libraryName ?? '']
  return (
    <>
      <Stack as="span" align="center" className={styles.picture}>
        <Picture {...suggestion} />
      </Stack>
      <Stack as="span" grow>
        <bdi className={styles.text}>
          <Name {...suggestion} />
        </bdi>{' '}
        <Text as="span" lines={1} size={13}>
          {hint.filter((part) => part !== '').join(' · ')}
        </Text>
      </Stack>
    </>
  )
}

/** The width is that of the picture in the list. */
const pictureWidth = 36

const Picture = ({ kind, id, coverVersion, placeholder }: Suggestion): ReactNode => {
  if (coverVersion === undefined) return <Icon name={icons[kind]} />
  const coverOf = kind === 'series' ? seriesCover : bookCover
  const src = coverOf({ id, coverVersion }, pictureWidth)
  return <Cover key={src} src={src} thumbhash={placeholder} alt="" icon={icons[kind]} isFirst />
}

const Name = ({ value, seriesName, ...book }: Suggestion): ReactNode =>
  seriesName === undefined ? value : <BookName book={{ ...book, title: value, seriesName }} place="mixed" />
