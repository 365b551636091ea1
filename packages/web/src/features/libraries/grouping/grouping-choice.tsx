import type { Grouping, GroupingAdvice } from '@carrel/api'
import { Badge, Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../../text/problem-text.ts'
import { Stack } from '../../../ui/layout/layout.tsx'
import styles from './grouping.module.css'
import { ServerWords } from '../../../ui/state/server-words.tsx'
import { adviceOn, policiesInOrder, reasonOf, startOf } from './grouping.ts'
import { LevelsField } from './levels-field.tsx'
import { PatternField } from './pattern-field.tsx'
import { isAbout } from './problem.ts'

interface GroupingChoiceProps {
  readonly grouping: Grouping
  /** Empty until the server has read the folders. */
  readonly advice: readonly GroupingAdvice[]
  /** Who has chosen before finds everything where it was. */
  readonly isBestFirst?: boolean
  readonly isLoading: boolean
  /** Why the server could not show what this grouping would make. */
  readonly error: unknown
  readonly onChange: (grouping: Grouping) => void
}

/** All ways to make series of files, with what each would make of them, and which one fits best. */
export const GroupingChoice = (props: GroupingChoiceProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const textOf = useProblemText()
  const { grouping, advice, isBestFirst = false, isLoading, error, onChange } = props
  const policies = policiesInOrder(isBestFirst ? advice : [])
  return (
    <Radio.Group
      label={t('new.grouping')}
      description={isLoading ? t('advice.looking') : undefined}
      value={grouping.policy}
      onChange={(value) => {
        const policy = policies.find((each) => each === value)
        if (policy !== undefined) onChange(startOf(policy, advice))
      }}
    >
      <Stack gap={3} className={styles.policies}>
        {policies.map((policy) => (
          <Radio
            key={policy}
            value={policy}
            label={<Name policy={policy} isBest={advice[0]?.policy === policy} />}
            description={
              <About policy={policy} advice={adviceOn(policy, advice)} isBest={advice[0]?.policy === policy} />
            }
          />
        ))}
      </Stack>
      {grouping.policy === 'publisher_folders' ? (
        <LevelsField
          levels={grouping.config.levels ?? []}
          problem={isAbout('levels', error) ? textOf(error) : undefined}
          onChange={(levels) => onChange({ policy: 'publisher_folders', config: { levels: [...levels] } })}
        />
      ) : null}
      {grouping.policy === 'custom' ? (
        <PatternField
          pattern={grouping.config.pattern ?? ''}
          problem={isAbout('pattern', error) ? textOf(error) : undefined}
          onChange={(pattern) => onChange({ policy: 'custom', config: { pattern } })}
        />
      ) : null}
      {isAbout('pattern', error) && error instanceof Error ? <ServerWords text={error.message} /> : null}
    </Radio.Group>
  )
}

interface PolicyProps {
  readonly policy: Grouping['policy']
  readonly isBest: boolean
}

const Name = ({ policy, isBest }: PolicyProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <>
      {t(`policy.${policy}.name`)}{' '}
      {isBest ? (
        <Badge component="span" variant="light">
          {t('advice.best')}
        </Badge>
      ) : null}
    </>
  )
}

const About = ({
  policy,
  isBest,
  advice,
}: PolicyProps & { readonly advice: GroupingAdvice | undefined }): ReactNode => {
  const { t } = useTranslation('libraries')
  const reason = isBest && advice ? reasonOf(advice) : undefined
  return (
    <>
      {reason === undefined ? null : <span className={styles.reason}>{t(`reason.${reason}`)}</span>}
      {t(`policy.${policy}.text`)}
      {advice ? (
        <span className={styles.line}>
          {t('preview.series', { count: advice.series })}
          {advice.oneShots > 0 ? ` · ${t('advice.alone', { count: advice.oneShots })}` : ''}
          {advice.warnings.length > 0 ? ` · ${t('advice.doubts', { count: advice.warnings.length })}` : ''}
        </span>
      ) : null}
    </>
  )
}
