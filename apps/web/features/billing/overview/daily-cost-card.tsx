'use client';

import { prepareDailyCost } from '@penstock/charts';
import { DailyCostChart } from '@penstock/charts/daily-cost-chart';
import { Card, EmptyState } from '@penstock/ui';
import { ChartColumn } from 'lucide-react';
import { useMemo } from 'react';
import type { RouterOutputs } from '../../../lib/trpc';
import { daysInMonth, monthStart, monthText } from '../dates';
import { QueryState } from '../query-state';
import { useMonthByDay } from './use-running-month';

type MonthByDay = RouterOutputs['billing']['monthByDay'];

export function DailyCostCard() {
  const month = useMonthByDay();
  return (
    <Card
      title="Cost by day and cluster"
      description="Before credits. Not rounded by day: the invoice rounds each of its lines once."
    >
      <QueryState query={month} label="Loading the cost by day" rows={5}>
        {(data) => <Chart month={data} />}
      </QueryState>
    </Card>
  );
}

function Chart({ month }: { month: MonthByDay }) {
  const start = monthStart(month.month);
  const data = useMemo(
    () => prepareDailyCost(month.days, month.clusters, daysInMonth(monthStart(month.month))),
    [month],
  );
  if (data.isEmpty) {
    return (
      <EmptyState icon={<ChartColumn />} title="Nothing has cost anything this month">
        A cluster costs something from the first minute in which one of its agents is alive, and per GiB that producers
        write.
      </EmptyState>
    );
  }
  return <DailyCostChart data={data} month={monthText(start)} />;
}
