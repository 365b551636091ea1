import { type Home, listLibraries, type OpenBooks, readHome, readOpenBooks } from '@carrel/api'
import { Button, VisuallyHidden } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useRecommenders } from '../../frame/recommenders.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { useHeadingFocus } from '../../ui/layout/use-heading-focus.ts'
import { EmptyState } from '../../ui/state/state.tsx'
import { ExampleBar } from './example/example-bar.tsx'
import { useExample } from './example/use-example.ts'
import { FillingLine, FillingShelf } from './filling/filling.tsx'
import { useFilling } from './filling/use-filling.ts'
import { NewestHero } from './hero/newest-hero.tsx'
import { OpenHero } from './hero/open-hero.tsx'
import styles from './home-page.module.css'
import { Shelves } from './shelf/shelves.tsx'
import { homeInput, isEmpty } from './shelves.ts'

// These are loaded lazily: the page does not wait for them.
const RecommendedShelf = lazy(async () => ({ default: (await import('./recommended-shelf.tsx')).RecommendedShelf }))
// Few arrange their shelves: the others wait for nothing of it.
const ArrangeDialog = lazy(async () => ({ default: (await import('./arrange-dialog.tsx')).ArrangeDialog }))

export const HomePage = (): ReactNode => {
  const home = useRead(readHome, homeInput())
  const open = useRead(readOpenBooks, {})
  const [isArranging, setArranging] = useState(false)
  const isRecommendedTo = useRecommenders().length > 0
  const arrange = (): void => setArranging(true)
  const hasNothing = isEmpty(home) && open.books.length === 0
  return (
    <HomeFrame hero={heroOf(home, open)}>
      {hasNothing ? <Nothing onArrange={arrange} /> : null}
      <ExampleBar />
      <Shelves home={home}>
        {isRecommendedTo ? (
          <Suspense>
            <RecommendedShelf />
          </Suspense>
        ) : null}
        {hasNothing ? null : <ArrangeButton onArrange={arrange} />}
      </Shelves>
      {isArranging ? (
        <Suspense>
          <ArrangeDialog home={home} onClose={() => setArranging(false)} />
        </Suspense>
      ) : null}
    </HomeFrame>
  )
}

/** Whoever has taken what is open off the page has taken it off here. */
const heroOf = ({ layout }: Home, open: OpenBooks): ReactNode => {
  if (!layout.includes('continueReading')) return null
  const [first] = open.books
  if (first !== undefined) return <OpenHero first={first} open={open} />
  return open.newest === null ? null : <NewestHero book={open.newest} />
}

/** With a hero its title is what one sees first; the page is called what it is all the same. */
const HomeFrame = ({ hero, children }: { readonly hero: ReactNode; readonly children: ReactNode }): ReactNode => {
  const { t } = useTranslation('home')
  const heading = useHeadingFocus()
  if (hero === null) return <Page title={t('title')}>{children}</Page>
  return (
    <Stack gap={5} className={styles.page}>
      <title>{`${t('title')} · Carrel`}</title>
      <VisuallyHidden component="h1" ref={heading} tabIndex={-1}>
        {t('title')}
      </VisuallyHidden>
      <div>
        {hero}
        <FillingLine />
      </div>
      {children}
    </Stack>
  )
}

/** It stands last: who arranges their shelves has looked at them. */
const ArrangeButton = ({ onArrange }: { readonly onArrange: () => void }): ReactNode => {
  const { t } = useTranslation('home')
  return (
    <Row justify="center">
      <Button variant="subtle" leftSection={<Icon name="sort" size="small" />} onClick={onArrange}>
        {t('arrange')}
      </Button>
    </Row>
  )
}

/**
 * The page is empty because nobody has added a library, because nothing in them is for this user, or because all
 * shelves with something on them are hidden.
 */
const Nothing = ({ onArrange }: { readonly onArrange: () => void }): ReactNode => {
  const { t } = useTranslation('home')
  const { data: libraries } = useLater(listLibraries, {})
  const mayAdd = useMay('libraries:write')
  const filling = useFilling()
  if (libraries === undefined) return null
  if (filling !== undefined) return <FillingShelf filling={filling} />
  if (libraries.data.some(({ bookCount }) => bookCount > 0))
    return (
      <EmptyState
        icon="home"
        title={t('bare')}
        text={t('bareText')}
        action={<Button onClick={onArrange}>{t('arrange')}</Button>}
      />
    )
  const isFirst = mayAdd && libraries.data.length === 0
  return (
    <EmptyState
      icon="library"
      title={t('empty')}
      text={isFirst ? t('emptyForAdministrators') : t('emptyText')}
      action={isFirst ? <Begin /> : undefined}
    />
  )
}

/** With one's own books, or at first with some that are there to try things with. */
const Begin = (): ReactNode => {
  const { t } = useTranslation('home')
  const example = useExample()
  return (
    <Row gap={2} wrap justify="center">
      <Button component={AppLink} to={paths.newLibrary()}>
        {t('addLibrary')}
      </Button>
      {example.mayHave ? (
        <Button variant="default" loading={example.isBusy} onClick={example.make}>
          {t('example.make')}
        </Button>
      ) : null}
    </Row>
  )
}
