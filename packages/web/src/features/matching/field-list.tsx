import type { MatchedField, MetadataFieldPreview, PluginAction } from '@carrel/api'
import { Button, Checkbox } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { bookCover, seriesCover } from '../../lists/item/addresses.ts'
import { useFieldText, useValueText } from '../../metadata/value-text.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import type { Previewed } from './asking.ts'
import { ForeignCover } from './candidate.tsx'
import type { Matchable } from './matchable.ts'
import styles from './preview.module.css'
import { isSetByHand, useStatusText } from './status-text.ts'

interface FieldListProps {
  readonly of: Matchable
  readonly id: string
  readonly plugin: PluginAction
  readonly preview: Previewed
  /** These fields may be written, but the user has left them out. */
  readonly left: ReadonlySet<MatchedField>
  readonly onLeave: (left: ReadonlySet<MatchedField>) => void
}

/**
 * The list has three parts: fields that would be written and can be left out, fields that stay in any case, and fields
 * of which there is nothing to show.
 */
export const FieldList = (props: FieldListProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { plugin, preview } = props
  const { fields, externalUrl } = preview
  const held = fields.filter(({ status }) => status === 'locked' || status === 'no_permission')
  return (
    <>
      {externalUrl === null ? null : (
        <Text>
          <a href={externalUrl} target="_blank" rel="noopener noreferrer">
            {t('preview.there', { plugin: plugin.pluginDisplayName })}
          </a>
        </Text>
      )}
      <AllWritten {...props} />
      {held.length === 0 ? null : (
        <Section title={t('preview.held', { count: held.length })}>
          <Stack as="ul" gap={2} className={styles.fields}>
            {held.map((each) => (
              <Held key={each.field} {...props} field={each} />
            ))}
          </Stack>
        </Section>
      )}
      <Others preview={preview} plugin={plugin} />
    </>
  )
}

const AllWritten = (props: FieldListProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { preview, left, onLeave } = props
  const written = preview.fields.filter(({ status }) => status === 'will_apply')
  const choose = (field: MatchedField, isChosen: boolean): void => {
    const next = new Set(left)
    if (isChosen) next.delete(field)
    else next.add(field)
    onLeave(next)
  }
  const chooseAll = (): void => onLeave(left.size === 0 ? new Set(written.map(({ field }) => field)) : new Set())
  if (written.length === 0) return null
  return (
    <Section
      title={t('preview.written', { count: written.length })}
      text={t('preview.writtenText')}
      actions={
        <Button variant="default" size="compact-sm" onClick={chooseAll}>
          {left.size === 0 ? t('preview.chooseNone') : t('preview.chooseAll')}
        </Button>
      }
    >
      <Stack as="ul" gap={2} className={styles.fields}>
        {written.map((each) => (
          <Written
            key={each.field}
            {...props}
            field={each}
            isChosen={!left.has(each.field)}
            onChoose={(isChosen) => choose(each.field, isChosen)}
          />
        ))}
      </Stack>
    </Section>
  )
}

interface FieldProps extends FieldListProps {
  readonly field: MetadataFieldPreview
}

interface WrittenProps extends FieldProps {
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

const Written = ({ field, isChosen, onChoose, of, id, preview }: WrittenProps): ReactNode => {
  const { t } = useTranslation('matching')
  const fieldText = useFieldText()
  const values = useId()
  return (
    <Columns as="li" gap={3} box className={styles.field} data-wanted={isChosen}>
      <Checkbox
        className={styles.name ?? ''}
        label={fieldText(field.field)}
        aria-describedby={values}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <Columns gap={3} id={values} className={styles.values}>
        <Values of={of} id={id} field={field} preview={preview} />
      </Columns>
      <Row as="span" gap={1} align="start" className={styles.status}>
        {isChosen ? t('status.will_apply') : t('status.left_out')}
      </Row>
    </Columns>
  )
}

const Held = ({ field, of, id, plugin, preview }: FieldProps): ReactNode => {
  const fieldText = useFieldText()
  const statusText = useStatusText(plugin.pluginDisplayName)
  return (
    <Columns as="li" gap={3} box className={styles.field}>
      <span className={styles.name}>{fieldText(field.field)}</span>
      <Columns gap={3} className={styles.values}>
        <Values of={of} id={id} field={field} preview={preview} />
      </Columns>
      <Row as="span" gap={1} align="start" className={styles.status}>
        <Icon name={isSetByHand(field) ? 'person' : 'lock'} size="small" />
        {statusText(field)}
      </Row>
    </Columns>
  )
}

type ValuesProps = Pick<FieldProps, 'of' | 'id' | 'field' | 'preview'>

/** The row shows the present value and the proposed one. */
const Values = ({ of, id, field, preview }: ValuesProps): ReactNode => {
  const { t } = useTranslation('matching')
  const valueText = useValueText()
  const { field: name, currentValue, proposedValue } = field
  if (name === 'cover') return <Covers of={of} id={id} url={String(proposedValue)} proposed={preview.coverProxyUrl} />
  return (
    <>
      <Stack gap="hair" align="start" className={styles.value}>
        <Text as="span" quiet size={12}>
          {t('preview.now')}
        </Text>
        <Synopsis text={valueText(name, currentValue)} />
      </Stack>
      <Icon name="onwards" size="small" />
      <Stack gap="hair" align="start" className={styles.value}>
        <Text as="span" quiet size={12}>
          {t('preview.then')}
        </Text>
        <Synopsis text={valueText(name, proposedValue)} />
      </Stack>
    </>
  )
}

interface CoversProps extends Pick<FieldProps, 'of' | 'id'> {
  readonly url: string
  /** The picture there, through our server. */
  readonly proposed: string | null
}

const Covers = ({ of, id, url, proposed }: CoversProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { coverVersion, placeholder } = useRead(of.read, { params: { id } })
  const picture = (of.kind === 'series' ? seriesCover : bookCover)({ id, coverVersion }, 96)
  return (
    <>
      <Stack gap="hair" align="start" className={styles.value}>
        <Text as="span" quiet size={12}>
          {t('preview.now')}
        </Text>
        <div className={styles.cover}>
          <Cover src={picture} thumbhash={placeholder} alt={t('preview.coverNow')} />
        </div>
      </Stack>
      <Icon name="onwards" size="small" />
      <Stack gap="hair" align="start" className={styles.value}>
        <Text as="span" quiet size={12}>
          {t('preview.then')}
        </Text>
        {proposed === null ? null : (
          <div className={styles.cover}>
            <Cover src={proposed} alt={t('preview.coverThen')} />
          </div>
        )}
        <ForeignCover url={url} />
        <Text as="span" quiet size={12}>
          {t('preview.coverText')}
        </Text>
      </Stack>
    </>
  )
}

/** These fields are listed by name only, because applying would not change them. */
const Others = ({ preview, plugin }: Pick<FieldListProps, 'preview' | 'plugin'>): ReactNode => {
  const { t } = useTranslation('matching')
  const fieldText = useFieldText()
  const named = (expected: MetadataFieldPreview['status']): string =>
    preview.fields
      .filter(({ status }) => status === expected)
      .map(({ field }) => fieldText(field))
      .join(', ')
  const same = named('unchanged')
  const missing = named('not_provided')
  return (
    <Stack as="dl" gap={3} className={styles.others}>
      {same === '' ? null : (
        <div>
          <dt>{t('status.unchanged')}</dt>
          <dd>{same}</dd>
        </div>
      )}
      {missing === '' ? null : (
        <div>
          <dt>{t('status.not_provided', { plugin: plugin.pluginDisplayName })}</dt>
          <dd>{missing}</dd>
        </div>
      )}
    </Stack>
  )
}
