-- row: a client and type of action, as it is now
-- question: What was learned of experiments, by type of action? A reading is not a cause.
-- group: actions
-- history: experiment_learning
create or replace view bi.action_type_learning as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.action_kind as action_type, -- Type of action as the API words it. <- experiment_learning.action_kind
  x.read as experiment_count, -- Number of experiments that were read. <- experiment_learning.read
  x.better as improved_count, -- Number of those that saw an improvement. <- experiment_learning.better
  x.mean_change, -- Mean change that was observed, in the unit of the metric. [mean by experiment_count] <- experiment_learning.mean_change
  x.run_date
from bi_map.experiment_learning as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where x.action_kind is not null and c.left_on is null;
