import type { ImportDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { madeNames, takenNames } from './figures.ts'

interface ReportProps {
  readonly report: ImportDto
}

/** What was found, what of ours it is, and what is not taken, each with why. */
export const Report = ({ report }: ReportProps): ReactNode => {
  const { t } = useTranslation('imports')
  const { found, matched, unmatchedCount, users } = report
  const figures = [
    [t('figure.books'), found['books'] ?? 0],
    [t('figure.byHash'), matched.byHash],
    [t('figure.byPath'), matched.byPath],
    [t('figure.byName'), matched.byName],
    [t('figure.unmatched'), unmatchedCount],
    [t('figure.users'), users.length],
    [t('figure.states'), users.reduce((sum, { states }) => sum + states, 0)],
  ] as const
  return (
    <>
      <Section title={t('found')}>
        <Figures figures={figures} />
      </Section>
      <WouldCreate report={report} />
      <Taken report={report} />
      <People report={report} />
      <Unmatched report={report} />
      <PassedOver report={report} />
    </>
  )
}

type Figure = readonly [label: string, value: number]

const Figures = ({ figures }: { readonly figures: readonly Figure[] }): ReactNode => {
  const { i18n } = useTranslation('imports')
  const number = new Intl.NumberFormat(i18n.resolvedLanguage)
  return (
    <Stack as="ul" gap={1}>
      {figures.map(([label, value]) => (
        <li key={label}>
          {label}: <strong>{number.format(value)}</strong>
        </li>
      ))}
    </Stack>
  )
}

/** Whatever else would come has the name that it has when it has come. */
const furtherNames = takenNames.filter((name) => !madeNames.some((made) => made === name))

const WouldCreate = ({ report: { wouldCreate, state } }: ReportProps): ReactNode => {
  const { t } = useTranslation('imports')
  const further = useCounted(furtherNames, wouldCreate)
  const figures = [...madeNames.map((name): Figure => [t(`would.${name}`), wouldCreate[name] ?? 0]), ...further]
  if (state === 'applied' || figures.every(([, value]) => value === 0)) return null
  return (
    <Section title={t('would.title')} text={t('would.text')}>
      <Figures figures={figures} />
    </Section>
  )
}

/** What was left has a name too: nobody is to wonder where it is. */
const Taken = ({ report: { taken } }: ReportProps): ReactNode => {
  const { t } = useTranslation('imports')
  const figures = useCounted(takenNames, taken)
  if (figures.length === 0) return null
  return (
    <Section title={t('taken.title')} text={t('taken.text')}>
      <Figures figures={figures} />
    </Section>
  )
}

const useCounted = (names: typeof takenNames | typeof furtherNames, counts: ImportDto['taken']): readonly Figure[] => {
  const { t } = useTranslation('imports')
  return names.flatMap((name): Figure[] => {
    const count = counts[name] ?? 0
    return count === 0 ? [] : [[t(`taken.${name}`), count]]
  })
}

const People = ({ report: { users } }: ReportProps): ReactNode => {
  const { t } = useTranslation('imports')
  if (users.length === 0) return null
  return (
    <Section title={t('people.title')} text={t('people.text')}>
      <RowList label={t('people.title')}>
        {users.map(({ theirs, name, by, ours, states }) => {
          // Some stores are of one person, and do not say of whom.
          const shown = by === 'you' ? t('people.you') : name
          return (
            <ListRow
              key={theirs}
              icon="person"
              title={ours === null ? shown : <AppLink to={paths.user(ours)}>{shown}</AppLink>}
              text={`${t(ours === null ? 'people.new' : 'people.here')} ${t('people.states', { count: states })}`}
            />
          )
        })}
      </RowList>
    </Section>
  )
}

/** So many stand there at first: what follows below is to be found. */
const shownMax = 8

const Unmatched = ({ report: { unmatched } }: ReportProps): ReactNode => {
  const { t } = useTranslation('imports')
  const { t: common } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (unmatched.length === 0) return null
  return (
    <Section title={t('unmatched')} text={t('unmatchedText')}>
      <RowList label={t('unmatched')}>
        {unmatched
          .slice(0, isOpen ? undefined : shownMax)
          .map(({ theirs, series, number, title, path, reason, readers }) => (
            <ListRow
              key={theirs}
              icon="book"
              title={[series, number, title].filter((each) => each !== null).join(' · ') || theirs}
              text={
                <>
                  {t(`reason.${reason}`)} {readers === 0 ? null : t('readers', { count: readers })}{' '}
                  {path === null ? null : <code dir="ltr">{path}</code>}
                </>
              }
            />
          ))}
      </RowList>
      {isOpen || unmatched.length <= shownMax ? null : (
        <div>
          <Button variant="default" onClick={() => setOpen(true)}>
            {common('showAll')}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** What exactly it is, the server says in English alone. */
const PassedOver = ({ report: { passedOver, conflicts } }: ReportProps): ReactNode => {
  const { t } = useTranslation('imports')
  if (passedOver.length === 0 && conflicts.length === 0) return null
  return (
    <Section title={t('passedOver')} text={t('passedOverText')}>
      <Stack as="ul" gap={2}>
        {conflicts.map(({ kind, what, count }) => (
          <li key={`${kind} ${what}`}>
            {t(`conflict.${kind}`)}: <bdi>{what}</bdi> {count > 1 ? `(${count})` : null}
          </li>
        ))}
        {passedOver.map(({ what, reason, count, examples }) => (
          <li key={`${reason} ${what}`}>
            <bdi lang="en">{what}</bdi> {count === null ? null : `(${count})`}
            <Text quiet size={14}>
              {t(`why.${reason}`)} {examples.length === 0 ? null : <bdi>{examples.join(', ')}</bdi>}
            </Text>
          </li>
        ))}
      </Stack>
    </Section>
  )
}
