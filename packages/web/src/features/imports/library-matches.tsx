import { type ImportDto, listImports, listLibraries, startImport } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ProblemNotice } from '../../ui/state/problem.tsx'
import { everyLibrary } from './inputs.ts'

const none = ''

/** Which of theirs is which of ours. Another answer needs another look at the store. */
export const LibraryMatches = ({ report }: { readonly report: ImportDto }): ReactNode => {
  const { t } = useTranslation('imports')
  const { kind, source, libraries } = report
  const problemOf = useProblem()
  const goTo = useGoTo()
  const { data: ours } = useRead(listLibraries, everyLibrary)
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const again = useChange(startImport, {
    invalidates: [listImports],
    onDone: ({ importId }) => goTo(paths.oneImport(importId))(),
  })
  const problem = problemOf(again.error)
  if (libraries.length === 0) return null
  const read = (): void => {
    const { path, uploadId, url } = source
    again.mutate({
      body: {
        kind,
        // The key that was given for an address is known still.
        source: {
          ...(path !== null && { path }),
          ...(uploadId !== null && { uploadId }),
          ...(url !== null && { url }),
        },
        libraries: libraries.map((each) => {
          const id = chosen[each.theirs] ?? each.ours ?? none
          return { theirs: each.theirs, ours: id === none ? null : id }
        }),
      },
    })
  }
  return (
    <Section title={t('libraries')} text={t('librariesText')}>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <Stack gap={3}>
        {libraries.map(({ theirs, name, roots, ours: proposed, books }) => (
          <NativeSelect
            key={theirs}
            label={t('library', { name, count: books })}
            description={roots.join(', ')}
            value={chosen[theirs] ?? proposed ?? none}
            data={[
              { value: none, label: t('noLibrary') },
              ...ours.map(({ id, name: label }) => ({ value: id, label })),
            ]}
            onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [theirs]: value })}
          />
        ))}
      </Stack>
      {Object.keys(chosen).length === 0 ? null : (
        <div>
          <Button variant="default" loading={again.isPending} onClick={read}>
            {t('readAgain')}
          </Button>
        </div>
      )}
    </Section>
  )
}
