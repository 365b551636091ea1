import { type LibraryDto, listTasks, purgeMissing } from '@carrel/api'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { MissingBooks, useMissingCount } from './missing-books.tsx'

const usualDays = 30
const daysMax = 36_500

/** Missing books keep all their data, for when they come back; here the data is deleted. */
export const Purge = ({ library }: { readonly library: LibraryDto }): ReactNode => {
  const { t } = useTranslation('scans')
  const [isAsking, setIsAsking] = useState(false)
  const count = useMissingCount(library.id)
  return (
    <Section
      title={t('purge.title')}
      text={t(count === 0 ? 'purge.none' : 'purge.text')}
      actions={
        count === 0 ? undefined : (
          <Row gap={2} wrap>
            <MissingBooks library={library} count={count} />
            <Button variant="default" onClick={() => setIsAsking(true)}>
              {t('purge.open')}
            </Button>
          </Row>
        )
      }
    >
      <Dialog title={t('purge.title')} isOpen={isAsking} onClose={() => setIsAsking(false)}>
        <Ask library={library} onDone={() => setIsAsking(false)} />
      </Dialog>
    </Section>
  )
}

/** It asks first, because nothing brings them back. */
const Ask = ({ library, onDone }: { readonly library: LibraryDto; readonly onDone: () => void }): ReactNode => {
  const { t } = useTranslation(['scans', 'common'])
  const problemOf = useProblem()
  const [days, setDays] = useState<number | undefined>(usualDays)
  const purge = useChange(purgeMissing, {
    invalidates: [listTasks],
    onDone: () => {
      onDone()
      toast({ text: t('purge.started', { name: library.name }) })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (days !== undefined) purge.mutate({ params: { id: library.id }, body: { olderThanDays: days } })
  }
  return (
    <Form onSubmit={submit} problem={problemOf(purge.error)}>
      <p>{t('purge.warning', { name: library.name })}</p>
      <NumberField
        label={t('purge.days')}
        description={t('purge.daysText')}
        data-autofocus
        required
        withAsterisk={false}
        min={0}
        max={daysMax}
        allowDecimal={false}
        value={days}
        onChange={setDays}
      />
      <Row gap={2} justify="end" wrap>
        <Button variant="default" onClick={onDone}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" color="red" loading={purge.isPending}>
          {t('purge.confirm')}
        </Button>
      </Row>
    </Form>
  )
}
