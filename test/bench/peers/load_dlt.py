"""dlt as its docs set up a REST API with history: load_dlt.py plain|fast BASE_URL DATABASE_URL ROUTE...

fast: as its page on performance advises, with routes at once, CSV, and lists and objects as JSON in one table.
"""

import sys

import dlt
from dlt.sources.rest_api import rest_api_source

way, base_url, database_url, *routes = sys.argv[1:]
is_fast = way == "fast"
source = rest_api_source(
    {
        "client": {
            "base_url": f"{base_url}/api/v1/",
            "auth": {"type": "api_key", "name": "X-API-Key", "api_key": "bench-key", "location": "header"},
            "paginator": {"type": "cursor", "cursor_path": "paginacion.siguiente", "cursor_param": "cursor"},
        },
        "resource_defaults": {
            "primary_key": "id",
            "write_disposition": {"disposition": "merge", "strategy": "scd2"},
            "endpoint": {"params": {"limite": 200}},
        },
        "resources": [
            {"name": route, "parallelized": is_fast, "endpoint": {"path": route, "data_selector": route}}
            for route in routes
        ],
    }
)
if is_fast:
    source.max_table_nesting = 0
pipeline = dlt.pipeline("peers", destination=dlt.destinations.postgres(database_url), dataset_name="raw")
pipeline.run(source, loader_file_format="csv" if is_fast else None).raise_on_failed_jobs()
